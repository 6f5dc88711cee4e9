#pragma once

#include "vernier/plan/statistic/parts.hpp"

namespace vernier::plan {

// Relations of y and x, over rows where neither is NULL: REGR_*, CORR and COVAR_*. Nine node sums, products of those of
// Bernstein's basis for either column, in one measurement that serves all of them. Page:
// interval/relation/relation.md.
struct Pair {
  Measured in;

  static constexpr MeasurementKind kind{"pair"};
  static constexpr std::array kinds = {kind};
  static constexpr Figure slope{"slope", "slope"};
  static constexpr Figure intercept{"intercept", "intercept"};
  static constexpr Figure mean_x{"mean-x", "mean of x"};
  static constexpr Figure mean_y{"mean-y", "mean of y"};
  static constexpr Figure squares_x{"squares-x", "sum of squares of x"};
  static constexpr Figure squares_y{"squares-y", "sum of squares of y"};
  static constexpr Figure products{"products", "sum of products"};
  static constexpr Figure determination{"determination", "share explained"};
  static constexpr Figure correlation{"correlation", "correlation"};
  static constexpr Figure covariance_sample{"covariance-sample", "covariance"};
  static constexpr Figure covariance_population{"covariance-population", "covariance"};
  static constexpr Figure variance_sample_x{"variance-sample-x", "variance of x"};
  static constexpr Figure variance_population_x{"variance-population-x", "variance of x"};
  static constexpr Figure deviation_sample_x{"deviation-sample-x", "standard deviation of x"};
  static constexpr Figure deviation_population_x{"deviation-population-x", "standard deviation of x"};
  static constexpr Figure variance_sample_y{"variance-sample-y", "variance of y"};
  static constexpr Figure variance_population_y{"variance-population-y", "variance of y"};
  static constexpr Figure deviation_sample_y{"deviation-sample-y", "standard deviation of y"};
  static constexpr Figure deviation_population_y{"deviation-population-y", "standard deviation of y"};
  static constexpr std::array served = {Served{query::Aggregate::regression_slope, slope},
                                        Served{query::Aggregate::regression_intercept, intercept},
                                        Served{query::Aggregate::regression_count, Figure::count},
                                        Served{query::Aggregate::regression_mean_x, mean_x},
                                        Served{query::Aggregate::regression_mean_y, mean_y},
                                        Served{query::Aggregate::regression_squares_x, squares_x},
                                        Served{query::Aggregate::regression_squares_y, squares_y},
                                        Served{query::Aggregate::regression_products, products},
                                        Served{query::Aggregate::regression_determination, determination},
                                        Served{query::Aggregate::correlation, correlation},
                                        Served{query::Aggregate::covariance_sample, covariance_sample},
                                        Served{query::Aggregate::covariance_population, covariance_population},
                                        Served{query::Aggregate::variance_sample, variance_sample_x},
                                        Served{query::Aggregate::variance_population, variance_population_x},
                                        Served{query::Aggregate::deviation_sample, deviation_sample_x},
                                        Served{query::Aggregate::deviation_population, deviation_population_x},
                                        Served{query::Aggregate::variance_sample, variance_sample_y},
                                        Served{query::Aggregate::variance_population, variance_population_y},
                                        Served{query::Aggregate::deviation_sample, deviation_sample_y},
                                        Served{query::Aggregate::deviation_population, deviation_population_y}};
  static constexpr Sharing sharing = Sharing::same_sums;
  static constexpr GridNumbers numbers = GridNumbers::pair;

  // Relations alone; and what `claims` takes from those that would measure it by itself: the number of rows, means and
  // spreads of x and y, where a relation of the same two is asked and neither can be NULL.
  static bool serves(const BoundStatistic&, const query::Aggregation& aggregation);
  static bool claims(const BoundStatistic& statistic, const query::Aggregation& aggregation);

  static Result<Measurement> bind(BoundStatistic& statistic, const query::Aggregation& aggregation);
  static std::optional<Truth> truth(const Figure& figure, query::Fraction, const KnownRows& rows);

  bool is_fine() const;
  std::size_t width() const { return 9; }
  Result<Sensitivity> sensitivity() const;
  Range range() const;
  Brought brought() const;
  void write(std::span<const Int128> tallies, std::span<Int128> out) const;
  Int128 tally_of_row(std::size_t number, double code) const;  // of a row at code = k (steps of y + 1) + l

  bool is_combined() const { return true; }
  Result<numeric::Rational> step() const;
  Result<double> noise_accuracy(const Law& law, std::int64_t steps, Alpha alpha) const;
  double published_scale(double scale) const;
  double spread() const;  // what sampling adds, of a population
  std::string population_fault() const;
  Result<Estimator> estimator(const Law& law, Alpha level, std::optional<std::int64_t> threshold) const;

 private:
  Result<Estimator> steps_estimator(const Law& law, Alpha level) const;
};

// What a row adds to the nine node sums in all.
std::int64_t pair_weight(const Measurement& measurement);

}  // namespace vernier::plan
