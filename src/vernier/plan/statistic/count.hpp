#pragma once

#include "vernier/plan/statistic/parts.hpp"

namespace vernier::plan {

// COUNT(*) and COUNT(x), without a mean of the same x: rows, of a unit max_rows at most in a group. Of weighted rows
// how many members of the population they stand for. Pages: plan/bounding.md, plan/survey_weight.md.
struct Count {
  Measured in;

  static constexpr MeasurementKind kind{"count"};
  static constexpr std::array kinds = {kind};
  static constexpr std::array served = {Served{query::Aggregate::count_rows, Figure::count},
                                        Served{query::Aggregate::count, Figure::count}};
  static constexpr Sharing sharing = Sharing::never;
  static constexpr GridNumbers numbers = GridNumbers::none;
  static constexpr bool is_one_integer = true;
  static constexpr bool adds_up = true;  // what is counted once in a group is counted once in the whole

  static Result<Measurement> bind(BoundStatistic& statistic, const query::Aggregation& aggregation);

  bool is_fine() const;
  Result<Sensitivity> sensitivity() const;
  Range range() const;
  Brought brought() const;
  bool has_weights() const { return true; }
  Result<Estimator> estimator(const Law& law, Alpha level, std::optional<std::int64_t> threshold) const;
};

}  // namespace vernier::plan
