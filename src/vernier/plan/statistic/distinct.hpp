#pragma once

#include "vernier/plan/statistic/parts.hpp"

namespace vernier::plan {

// COUNT(DISTINCT x): values that differ; of a unit's those of least keyed hash count, max_rows of them. Page:
// docs/theory/distinct.md.
struct Distinct {
  Measured in;

  static constexpr std::array kinds = {MeasurementKind::distinct};
  static constexpr Sharing sharing = Sharing::same_number;
  static constexpr GridNumbers numbers = GridNumbers::none;
  static constexpr bool is_one_integer = true;

  static bool serves(const BoundStatistic& statistic, const query::Aggregation& aggregation);
  static Result<Measurement> bind(BoundStatistic& statistic, const query::Aggregation& aggregation);

  bool shows(Figure figure) const { return figure == Figure::count; }
  Result<Sensitivity> sensitivity() const;
  Range range() const { return {0, in.statistic.table.row_limit}; }
  std::string population_fault() const { return "counts values that differ, of which a sample tells too little"; }
  Result<Estimator> estimator(const Law& law, Alpha level, std::optional<std::int64_t> threshold) const;
};

}  // namespace vernier::plan
