#pragma once

#include "vernier/plan/statistic/parts.hpp"

namespace vernier::plan {

// COUNT(DISTINCT unit): units with at least one row. A unit counts once in each of its groups, however many rows of it
// count. By this number private keys are chosen, which may be published as well. Page: plan/bounding.md.
struct Units {
  Measured in;

  static constexpr MeasurementKind kind{"units"};
  static constexpr std::array kinds = {kind};
  static constexpr std::array served = {Served{query::Aggregate::count_units, Figure::count}};
  static constexpr Sharing sharing = Sharing::same_number;
  static constexpr GridNumbers numbers = GridNumbers::none;
  static constexpr bool is_one_integer = true;

  static Result<Measurement> bind(BoundStatistic& statistic);
  static Result<Measurement> bind(BoundStatistic& statistic, const query::Aggregation&) { return bind(statistic); }

  Result<Sensitivity> sensitivity() const;
  Range range() const { return {0, in.statistic.table.row_limit}; }
  Brought brought() const { return {{}, {{TallyKind::units}}}; }
  std::string weighted_fault() const;
  Result<Estimator> estimator(const Law& law, Alpha level, std::optional<std::int64_t> threshold) const;
};

}  // namespace vernier::plan
