#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "vernier/study/catalog.hpp"
#include "vernier/study/study.hpp"

// What an analyst is told whose accuracies cost more than there is.
namespace vernier::study {

struct BeyondBudget {
  double epsilon;  // that all targets of the study need together, rounded up
  double delta;    // at which it is stated
  std::string statistic;
  std::string column;  // the target that costs most
};

// None where the targets fit the budget.
Result<std::optional<BeyondBudget>> beyond_budget(const Study& study);

// An epsilon with which the study can be planned: what the targets need, and as little more as the other columns must
// have. What the targets need where none of these is enough, or the catalog has less.
double sufficient_epsilon(const Text& study, const std::string& name, const Catalog& catalog,
                          const BeyondBudget& beyond);

// The least accuracy of this column, of three digits, with which the study can be planned, everything else as it is;
// none where there is none, whatever the column is given up to.
Result<std::optional<std::string>> best_target(const Text& study, const std::string& name, const Catalog& catalog,
                                               std::string_view statistic, std::string_view column);

// A decimal that may stand as a target, and is met where the accuracy is this: three digits, rounded up.
std::string target_text(double accuracy);

}  // namespace vernier::study
