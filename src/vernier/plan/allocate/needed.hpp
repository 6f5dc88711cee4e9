#pragma once

#include <cstddef>
#include <optional>

#include "vernier/plan/bound_study.hpp"

namespace vernier::plan {

// What the targets of a study cost without anything else, and the column that costs most of it.
struct Needed {
  double epsilon;  // at the study's delta, from above
  std::size_t statistic;
  std::size_t measurement;
};

// None where no column has a target, or a [[table]] costs most. `allocate` refuses a study whose epsilon is below it.
Result<std::optional<Needed>> needed(const BoundStudy& study);

}  // namespace vernier::plan
