#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "cli/study/counted_catalog.hpp"
#include "vernier/core/result.hpp"
#include "vernier/plan/bound_study.hpp"
#include "vernier/query/catalog.hpp"
#include "vernier/query/study.hpp"

namespace vernier::cli {

// What an analyst asked of a steward's catalog, understood and bound. No data file was opened for it.
struct AskedStudy {
  std::string name;  // in releases and in the ledger
  query::Study study;
  plan::BoundStudy bound;
};

// A catalog or a study, and where it lies or would lie: what it names is found from that folder, and sentences begin
// with this path, line and column. "census/<study>" is a study that a program made.
struct LocatedText {
  std::filesystem::path path;
  std::string text;
};
Result<LocatedText> located_text(const std::filesystem::path& path);  // of a file
Result<query::Catalog> catalog_in(const LocatedText& catalog);        // with all that it names

// Reads the study, its catalog and its statements. Sentences name file and line; a statement that is refused is shown
// with a caret. The catalog is the one that counts by the rule.
Result<AskedStudy> read_asked_study(const std::filesystem::path& path, const CatalogRule& rule = {});

// The same for a study that stands in no file; its sentences have no place.
Result<AskedStudy> ask(const std::string& name, query::Study study);

// The same for texts; `name` is what the study is called in releases and in the ledger. The catalog that the study
// names is not looked for: it is the one that is given, and it must be one of the installation (installed_rule).
Result<AskedStudy> ask(const std::string& name, const LocatedText& study, const LocatedText& catalog);
Result<AskedStudy> ask(const std::string& name, query::Study study, const LocatedText& catalog);

// The tables that are asked, each once.
std::vector<query::Table> asked_tables(const plan::BoundStudy& bound);

// Which data is asked, from what is declared alone: the catalog's text, and of each table its name, its format and the
// file behind all links. No byte of a file of data is in it: whether data has changed is nobody's to learn from a hash.
Result<plan::Origin> origin_of(std::string_view catalog_text, const query::Catalog& catalog,
                               const std::vector<query::Table>& tables);

}  // namespace vernier::cli
