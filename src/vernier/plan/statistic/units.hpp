#pragma once

#include "vernier/plan/statistic/parts.hpp"

namespace vernier::plan {

// COUNT(DISTINCT unit): units with at least one row. A unit counts once in each of its groups, however many rows of it
// count. By this number private keys are chosen, which may be published as well. Page: plan/bounding.md.
struct Units {
  Measured in;

  static constexpr std::array kinds = {MeasurementKind::units};
  static constexpr Sharing sharing = Sharing::same_number;
  static constexpr GridNumbers numbers = GridNumbers::none;
  static constexpr bool is_one_integer = true;

  static bool serves(const BoundStatistic& statistic, const query::Aggregation& aggregation);
  static Result<Measurement> bind(BoundStatistic& statistic);
  static Result<Measurement> bind(BoundStatistic& statistic, const query::Aggregation&) { return bind(statistic); }

  bool shows(Figure figure) const { return figure == Figure::count; }
  Result<Sensitivity> sensitivity() const;
  Range range() const { return {0, in.statistic.table.row_limit}; }
  std::string weighted_fault() const;
  Result<Estimator> estimator(const Law& law, Alpha level, std::optional<std::int64_t> threshold) const;
};

}  // namespace vernier::plan
