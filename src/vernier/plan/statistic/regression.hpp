#pragma once

#include "vernier/plan/statistic/parts.hpp"

namespace vernier::plan {

inline constexpr std::size_t most_regressors = 8;

// Least squares of y on 1 to 8 x, over rows where none is NULL: every coefficient, the intercept, the deviation of the
// residuals and R^2; and of as many columns the variances along their principal components. All of it from the second
// moments of all columns in one measurement. Pages: interval/regression/regression.md,
// interval/components/components.md.
struct Regression {
  Measured in;

  static constexpr MeasurementKind kind{"regression"};
  static constexpr std::array kinds = {kind};
  static constexpr Figure constant{"constant", "intercept"};
  static constexpr Figure residual_deviation{"residual-deviation", "standard deviation of the residuals"};
  static constexpr Figure explained{"explained", "share explained"};
  // Of the x at this place, in the order of their canonical texts.
  static constexpr std::array<Figure, most_regressors> coefficients = {
      Figure{"coefficient-1", "coefficient"}, Figure{"coefficient-2", "coefficient"},
      Figure{"coefficient-3", "coefficient"}, Figure{"coefficient-4", "coefficient"},
      Figure{"coefficient-5", "coefficient"}, Figure{"coefficient-6", "coefficient"},
      Figure{"coefficient-7", "coefficient"}, Figure{"coefficient-8", "coefficient"}};
  // Of components, the greatest first.
  static constexpr std::array<Figure, most_regressors + 1> variances = {
      Figure{"component-variance-1", "variance of a component"},
      Figure{"component-variance-2", "variance of a component"},
      Figure{"component-variance-3", "variance of a component"},
      Figure{"component-variance-4", "variance of a component"},
      Figure{"component-variance-5", "variance of a component"},
      Figure{"component-variance-6", "variance of a component"},
      Figure{"component-variance-7", "variance of a component"},
      Figure{"component-variance-8", "variance of a component"},
      Figure{"component-variance-9", "variance of a component"}};
  static constexpr std::array<Figure, most_regressors + 1> shares = {
      Figure{"component-share-1", "share of a component"}, Figure{"component-share-2", "share of a component"},
      Figure{"component-share-3", "share of a component"}, Figure{"component-share-4", "share of a component"},
      Figure{"component-share-5", "share of a component"}, Figure{"component-share-6", "share of a component"},
      Figure{"component-share-7", "share of a component"}, Figure{"component-share-8", "share of a component"},
      Figure{"component-share-9", "share of a component"}};
  static constexpr std::array served = {Served{query::Aggregate::regression_intercept, constant},
                                        Served{query::Aggregate::regression_slope, coefficients[0]},
                                        Served{query::Aggregate::regression_slope, coefficients[1]},
                                        Served{query::Aggregate::regression_slope, coefficients[2]},
                                        Served{query::Aggregate::regression_slope, coefficients[3]},
                                        Served{query::Aggregate::regression_slope, coefficients[4]},
                                        Served{query::Aggregate::regression_slope, coefficients[5]},
                                        Served{query::Aggregate::regression_slope, coefficients[6]},
                                        Served{query::Aggregate::regression_slope, coefficients[7]},
                                        Served{query::Aggregate::regression_deviation, residual_deviation},
                                        Served{query::Aggregate::regression_determination, explained},
                                        Served{query::Aggregate::covariance_sample, variances[0]},
                                        Served{query::Aggregate::covariance_sample, variances[1]},
                                        Served{query::Aggregate::covariance_sample, variances[2]},
                                        Served{query::Aggregate::covariance_sample, variances[3]},
                                        Served{query::Aggregate::covariance_sample, variances[4]},
                                        Served{query::Aggregate::covariance_sample, variances[5]},
                                        Served{query::Aggregate::covariance_sample, variances[6]},
                                        Served{query::Aggregate::covariance_sample, variances[7]},
                                        Served{query::Aggregate::covariance_sample, variances[8]},
                                        Served{query::Aggregate::regression_determination, shares[0]},
                                        Served{query::Aggregate::regression_determination, shares[1]},
                                        Served{query::Aggregate::regression_determination, shares[2]},
                                        Served{query::Aggregate::regression_determination, shares[3]},
                                        Served{query::Aggregate::regression_determination, shares[4]},
                                        Served{query::Aggregate::regression_determination, shares[5]},
                                        Served{query::Aggregate::regression_determination, shares[6]},
                                        Served{query::Aggregate::regression_determination, shares[7]},
                                        Served{query::Aggregate::regression_determination, shares[8]}};
  static constexpr Sharing sharing = Sharing::same_sums;
  static constexpr GridNumbers numbers = GridNumbers::columns;

  static bool serves(const BoundStatistic& statistic, const query::Aggregation& aggregation);
  static Result<Measurement> bind(BoundStatistic& statistic, const query::Aggregation& aggregation);

  bool shows(const Figure& figure) const;
  bool is_fine() const;
  std::size_t width() const;
  Result<Sensitivity> sensitivity() const;
  Range range() const;
  Brought brought() const;
  void write(std::span<const Int128> tallies, std::span<Int128> out) const;
  Int128 tally_of_row(std::size_t number, double code) const;  // of a row at code = (k (steps of the next + 1) + l) ...

  bool is_combined() const { return true; }
  Result<numeric::Rational> step() const;
  Result<double> noise_accuracy(const Law& law, std::int64_t steps, Alpha alpha) const;
  double published_scale(double scale) const;
  std::string population_fault() const;
  Result<Estimator> estimator(const Law& law, Alpha level, std::optional<std::int64_t> threshold) const;
};

// Whether the statement asks for it of y on several x, of one x beside the deviation of its residuals, or of
// components: then it is none of the relations of a pair.
bool is_of_several(const BoundStatistic& statistic, const query::Aggregation& aggregation);

}  // namespace vernier::plan
