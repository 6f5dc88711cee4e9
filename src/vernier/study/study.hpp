#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "vernier/core/result.hpp"
#include "vernier/plan/bound_study.hpp"
#include "vernier/query/study.hpp"
#include "vernier/study/catalog.hpp"

namespace vernier::study {

class Plan;

// One statement, with what it may cost or how accurate it is to be.
struct Question {
  query::Query query;                             // as the catalog has parsed it
  std::string sql;                                // as it was written
  std::string name = "query";                     // of its statistic
  std::optional<query::StudyBudget> budget = {};  // there unless every column has an accuracy
  std::vector<query::Target> accuracy = {};       // by column
  std::optional<numeric::Rational> alpha = {};    // 0.05 unless told
  std::optional<std::int64_t> max_groups = {};    // that one unit may touch; none: as the catalog says, or 1
  std::optional<std::int64_t> max_rows = {};      // of one unit that count in one group; likewise
  std::int64_t typical_rows = query::usual_typical_rows;
};

// What an analyst asked of a steward's catalog, understood and bound. No data file was opened for it.
struct Study {
  std::string name;  // in releases and in the ledger
  query::Study question;
  plan::BoundStudy bound;

  // A study, its catalog and its statements, each read once. Sentences name file and line; a statement that is refused
  // is shown with a caret.
  static Result<Study> read(const std::filesystem::path& path, const CatalogRule& rule = {});

  // The same for a text, or for a study that stands nowhere, whose sentences have no place. The catalog that the study
  // names is not looked for: it is the one that is given.
  static Result<Study> of(const std::string& name, const Text& study, const Catalog& catalog);
  static Result<Study> of(const std::string& name, query::Study study, const Catalog& catalog);
  static Result<Study> of(const std::string& name, const Question& question, const Catalog& catalog);

  // The tables that are asked, each once.
  std::vector<query::Table> tables() const;

  // The statistics that count one row, in one group, of every unit, since nobody says how many may: neither they nor
  // the catalog, whose limits are none of a [[table]]. Those where every row is a unit, and numbers of units without
  // groups, are not among them.
  std::vector<plan::BoundStatistic> with_assumed_limits() const;

  // What it will cost and how accurate it will be. Opens no data, and spends nothing.
  Result<Plan> plan() const;
};

}  // namespace vernier::study
