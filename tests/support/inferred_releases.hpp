#pragma once

#include "support/signed_releases.hpp"

// Releases whose studies say something of intervals.
namespace vernier::testing {

inline BoundStatistic inferred(BoundStatistic statistic, const query::Inference& inference) {
  statistic.inference = inference;
  return statistic;
}

// SELECT region, AVG(educ) AS educ FROM people GROUP BY region, with clamped_share; all rows count as moved.
inline BoundStatistic with_clamped_share() {
  BoundStatistic made = inferred(with_columns(by_region(), {2, 0}), {.has_clamped_share = true});
  made.query.aggregations[1].name = "educ_clamped";
  made.measurements[0].clamped_count = "educ_clamped";
  return made;
}

inline const std::vector<NamedRelease>& inferred_releases() {
  static const std::vector<NamedRelease> made = {
      {"guaranteed", released({inferred(with_columns(by_region(), {2, 0}), {.is_guaranteed = true})}, {})},
      {"clamped share", released({with_clamped_share()}, {})},
  };
  return made;
}

}  // namespace vernier::testing
