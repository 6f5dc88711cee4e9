#pragma once

#include "vernier/plan/statistic/parts.hpp"

namespace vernier::plan {

// COUNT(DISTINCT x): values that differ; of a unit's those of least keyed hash count, max_rows of them. Page:
// docs/theory/distinct.md.
struct Distinct {
  Measured in;

  static constexpr MeasurementKind kind{"distinct"};
  static constexpr std::array kinds = {kind};
  static constexpr std::array served = {Served{query::Aggregate::count_distinct, Figure::count}};
  static constexpr Sharing sharing = Sharing::same_number;
  static constexpr GridNumbers numbers = GridNumbers::none;
  static constexpr bool is_one_integer = true;

  static Result<Measurement> bind(BoundStatistic& statistic, const query::Aggregation& aggregation);

  Result<Sensitivity> sensitivity() const;
  Range range() const { return {0, in.statistic.table.row_limit}; }
  Brought brought() const { return {{{unread(), 1, 0, {0, 0}, false, true}}, {{TallyKind::distinct, 0}}}; }
  std::string population_fault() const { return "counts values that differ, of which a sample tells too little"; }
  Result<Estimator> estimator(const Law& law, Alpha level, std::optional<std::int64_t> threshold) const;
};

}  // namespace vernier::plan
