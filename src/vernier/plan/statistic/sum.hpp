#pragma once

#include "vernier/plan/statistic/parts.hpp"

namespace vernier::plan {

// SUM(x), without a mean of the same x: the sum over units of what they have in a group; one with c > max_rows values
// adds max_rows / c of its sum, truncated. Page: plan/bounding.md.
struct Sum {
  Measured in;

  static constexpr MeasurementKind kind{"sum"};
  static constexpr std::array kinds = {kind};
  static constexpr std::array served = {Served{query::Aggregate::sum, Figure::sum}};
  static constexpr Sharing sharing = Sharing::never;
  static constexpr GridNumbers numbers = GridNumbers::granularity;
  static constexpr bool is_one_integer = true;
  static constexpr bool adds_up = true;

  static Result<Measurement> bind(BoundStatistic& statistic, const query::Aggregation& aggregation);

  const Argument* argument() const;
  Steps steps() const;  // the bounds of its values
  bool is_fine() const { return argument() != nullptr; }
  Result<Sensitivity> sensitivity() const;
  Range range() const;
  Brought brought() const { return {{{unread(), in.one.granularity, in.one.origin, steps()}}, {{TallyKind::sum, 0}}}; }
  double spread() const { return 0; }  // of a population it is measured by moments
  Result<Estimator> estimator(const Law& law, Alpha level, std::optional<std::int64_t> threshold) const;
};

}  // namespace vernier::plan
