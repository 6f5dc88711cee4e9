#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "vernier/release/release.hpp"
#include "vernier/study/study.hpp"

// How many rows a unit has, found privately: a noisy count of the units by their number of rows, and what each
// max_rows would cut off and cost in noise. docs/theory/bounds.md says why it holds.
namespace vernier::study {

// The table whose units are counted, and the numbers of rows at which they are told apart.
struct LimitsQuestion {
  query::Table table;
  std::vector<std::int64_t> edges;  // 1, 2, 3, 5, 7, 10, ...; units with more than the last are counted, too

  // None where the words name no table, which may be a column then.
  static std::optional<LimitsQuestion> of(const Catalog& catalog, const std::string& table);

  // The count of the units, its column called "n"; budget and alpha are those of `terms`.
  Result<Study> study(const Catalog& catalog, Question terms) const;
};

// What one max_rows would mean.
struct Limit {
  std::int64_t max_rows;
  std::int64_t more_at_most;  // units with more rows
  double share_more_at_most;  // of all units, rounded up; 1 where nothing better is known
  double cut_off;             // rows that would not count, about
  double margin;              // of COUNT(*) of one group
};

struct LimitsAnswer {
  LimitsQuestion question;
  double total_rows = 0;            // about
  std::int64_t units_at_least = 0;  // these hold with probability 1 - alpha, together with all `more_at_most`
  std::int64_t units_at_most = 0;
  std::vector<Limit> limits;        // rising, up to where no units stand out of the noise any more
  std::optional<std::size_t> best;  // with the least of what is cut off and noise together
};

// Made from the released counts; the margins are those that plans of the table have at epsilon `at`.
Result<LimitsAnswer> limits_answer(const LimitsQuestion& question, const Catalog& catalog, const Study& study,
                                   const release::Release& release, const numeric::Rational& at);

}  // namespace vernier::study
