#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "vernier/core/result.hpp"
#include "vernier/plan/bound_study.hpp"
#include "vernier/query/catalog.hpp"
#include "vernier/query/study.hpp"

namespace vernier::cli {

// What an analyst asked of a steward's catalog, understood and bound. No data file was opened for it.
struct AskedStudy {
  std::string name;  // in releases and in the ledger
  query::Study study;
  std::string catalog_text;  // as it was read
  plan::BoundStudy bound;
};

// Reads the study, its catalog and its statements. Sentences name file and line; a statement that is refused is shown
// with a caret.
Result<AskedStudy> read_asked_study(const std::filesystem::path& path);

// The same for a study that stands in no file; its sentences have no place.
Result<AskedStudy> ask(const std::string& name, query::Study study);

// The tables that are asked, each once.
std::vector<query::Table> asked_tables(const plan::BoundStudy& bound);

}  // namespace vernier::cli
