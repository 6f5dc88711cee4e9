#pragma once

#include "support/signed_releases.hpp"

// Releases whose studies say something of intervals.
namespace vernier::testing {

inline BoundStatistic inferred(BoundStatistic statistic, const query::Inference& inference) {
  statistic.inference = inference;
  if (inference.of_population) statistic.table.sampled = test::decimal("0.01");
  return statistic;
}

// SELECT region, AVG(educ) AS educ FROM people GROUP BY region, with clamped_share; all rows count as moved.
inline BoundStatistic with_clamped_share() {
  BoundStatistic made = inferred(with_columns(by_region(), {2, 0}), {.has_clamped_share = true});
  made.query.aggregations[1].name = "educ_clamped";
  made.measurements[0].clamped_count = "educ_clamped";
  return made;
}

// Without the count, which of a population is never made from node sums.
inline BoundStatistic spread_without_count() {
  BoundStatistic made = spread_by_region();
  made.measurements.erase(made.measurements.begin() + 3);
  made.query.aggregations.erase(made.query.aggregations.begin() + 3);
  made.query.outputs.pop_back();
  made.measurements.back().aggregation = 3;
  return made;
}

inline const std::vector<NamedRelease>& inferred_releases() {
  const BoundStatistic all = by_region(), private_ones = by_private_region();
  const query::Inference together{.is_simultaneous = true}, population{.of_population = true};
  const query::Inference proven{.of_population = true, .is_guaranteed = true};
  const query::Inference both{.of_population = true, .is_simultaneous = true};
  const BoundStatistic spread = spread_without_count();
  BoundStatistic mean = spread;
  mean.measurements = {spread.measurements[1]};
  mean.measurements[0].source.reset();
  mean.measurements[0].width = 3;
  mean.measurements[0].aggregation = 0;
  mean.query.aggregations = {spread.query.aggregations[1]};
  mean.query.outputs.resize(2);
  static const std::vector<NamedRelease> made = {
      {"guaranteed", released({inferred(with_columns(all, {2, 0}), {.is_guaranteed = true})}, {})},
      {"simultaneous", released({inferred(all, together)}, {})},
      {"simultaneous, of private keys", released({inferred(private_ones, together)}, {})},
      {"population", released({inferred(spread, population)}, {})},
      {"population, simultaneous", released({inferred(spread, both)}, {})},
      {"population, guaranteed", released({inferred(mean, proven)}, {})},
      {"population, of counts", released({inferred(with_columns(all, {0}), population)}, {})},
      {"clamped share", released({with_clamped_share()}, {})},
  };
  return made;
}

}  // namespace vernier::testing
