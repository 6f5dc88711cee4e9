#pragma once

#include "vernier/plan/statistic/parts.hpp"

namespace vernier::plan {

// REGR_SLOPE(y, x) of the population of which rows are a sample: fifteen node sums, products of Bernstein's polynomials
// of degree 4 in x and 2 in y, from which White's variance follows as well. Page:
// interval/relation/population_slope.md.
struct SlopeOfPopulation {
  Measured in;

  static constexpr MeasurementKind kind{"population-slope"};
  static constexpr std::array kinds = {kind};
  static constexpr Figure slope{"slope-of-population", "slope"};
  static constexpr std::array served = {Served{query::Aggregate::regression_slope, slope}};
  static constexpr Sharing sharing = Sharing::same_number;
  static constexpr GridNumbers numbers = GridNumbers::pair;

  static bool serves(const BoundStatistic& statistic, const query::Aggregation& aggregation);
  static Result<Measurement> bind(BoundStatistic& statistic, const query::Aggregation& aggregation);

  bool is_fine() const;
  std::size_t width() const { return 15; }
  Result<Sensitivity> sensitivity() const;
  Range range() const;
  Brought brought() const;
  void write(std::span<const Int128> tallies, std::span<Int128> out) const;
  Int128 tally_of_row(std::size_t number, double code) const;  // of a row at code = k (steps of y + 1) + l

  bool is_combined() const { return true; }
  double spread() const;
  Result<numeric::Rational> step() const;
  Result<double> noise_accuracy(const Law& law, std::int64_t steps, Alpha alpha) const;
  double published_scale(double scale) const;
  Result<Estimator> estimator(const Law& law, Alpha level, std::optional<std::int64_t> threshold) const;
};

}  // namespace vernier::plan
