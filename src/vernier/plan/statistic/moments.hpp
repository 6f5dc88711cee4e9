#pragma once

#include "vernier/plan/statistic/parts.hpp"

namespace vernier::plan {

// VARIANCE and STDDEV of x, and AVG(x), SUM(x) and COUNT(x) beside one of them: three node sums of Bernstein's basis,
// of (K-k)^2, 2k(K-k) and k^2 in parts of the weight. Of a population also AVG and SUM alone, of weighted rows all of
// them. Where the number of rows is public: that number before them (public_count.md). Page: interval/rows/variance.md.
struct Moments {
  Measured in;

  static constexpr MeasurementKind kind{"moments"};
  static constexpr MeasurementKind public_kind{"public-count-moments"};
  static constexpr std::array kinds = {kind, public_kind};
  static constexpr Figure variance_sample{"variance-sample", "variance"};
  static constexpr Figure variance_population{"variance-population", "variance"};
  static constexpr Figure deviation_sample{"deviation-sample", "standard deviation"};
  static constexpr Figure deviation_population{"deviation-population", "standard deviation"};
  static constexpr std::array served = {Served{query::Aggregate::count_rows, Figure::count},
                                        Served{query::Aggregate::count, Figure::count},
                                        Served{query::Aggregate::sum, Figure::sum},
                                        Served{query::Aggregate::average, Figure::mean},
                                        Served{query::Aggregate::variance_sample, variance_sample},
                                        Served{query::Aggregate::variance_population, variance_population},
                                        Served{query::Aggregate::deviation_sample, deviation_sample},
                                        Served{query::Aggregate::deviation_population, deviation_population}};
  static constexpr Sharing sharing = Sharing::same_sums;
  static constexpr GridNumbers numbers = GridNumbers::squares;

  static bool serves(const BoundStatistic& statistic, const query::Aggregation& aggregation);
  static Result<Measurement> bind(BoundStatistic& statistic, const query::Aggregation& aggregation);
  static std::optional<Truth> truth(const Figure& figure, query::Fraction, const KnownRows& rows);

  bool has_public_count() const { return in.one.kind == public_kind; }
  bool shows(const Figure& figure) const;
  bool is_fine() const;
  std::size_t width() const { return has_public_count() ? 4 : 3; }
  Result<Sensitivity> sensitivity() const;
  Range range() const;
  Brought brought() const;
  void write(std::span<const Int128> tallies, std::span<Int128> out) const;

  bool is_combined() const;
  Result<numeric::Rational> step() const;
  Result<double> noise_accuracy(const Law& law, std::int64_t steps, Alpha alpha) const;
  bool has_weights() const { return !has_public_count() && in.one.figure != Figure::count; }
  double spread() const;
  double published_scale(double scale) const;
  Result<Estimator> estimator(const Law& law, Alpha level, std::optional<std::int64_t> threshold) const;
};

constexpr bool is_variance(const Figure& figure) {
  return figure == Moments::variance_sample || figure == Moments::variance_population;
}
constexpr bool is_deviation(const Figure& figure) {
  return figure == Moments::deviation_sample || figure == Moments::deviation_population;
}
constexpr bool is_spread(const Figure& figure) { return is_variance(figure) || is_deviation(figure); }

}  // namespace vernier::plan
