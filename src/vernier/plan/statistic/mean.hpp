#pragma once

#include "vernier/plan/statistic/parts.hpp"

namespace vernier::plan {

// AVG of x, and SUM(x), COUNT(x) and, where x has no NULL, COUNT(*) beside it: two node sums, steps * values - sum and
// sum. Where the number of rows is public: that number, and one sum (public_count.md). Page: interval/rows/mean.md.
struct Mean {
  Measured in;

  static constexpr MeasurementKind kind{"mean"};
  static constexpr MeasurementKind public_kind{"public-count-mean"};
  static constexpr std::array kinds = {kind, public_kind};
  static constexpr std::array served = {
      Served{query::Aggregate::count_rows, Figure::count}, Served{query::Aggregate::count, Figure::count},
      Served{query::Aggregate::sum, Figure::sum}, Served{query::Aggregate::average, Figure::mean}};
  static constexpr Sharing sharing = Sharing::same_sums;
  static constexpr GridNumbers numbers = GridNumbers::bounds;

  static bool serves(const BoundStatistic& statistic, const query::Aggregation& aggregation);
  static Result<Measurement> bind(BoundStatistic& statistic, const query::Aggregation& aggregation);
  static std::optional<Truth> truth(const Figure& figure, query::Fraction, const KnownRows& rows);

  bool has_public_count() const { return in.one.kind == public_kind; }
  bool shows(const Figure& figure) const;
  bool is_fine() const { return !in.is_weighted(); }
  std::size_t width() const { return 2; }
  Result<Sensitivity> sensitivity() const;
  Range range() const;
  Brought brought() const;
  void write(std::span<const Int128> tallies, std::span<Int128> out) const;

  bool is_combined() const;
  Result<numeric::Rational> step() const;
  Result<double> noise_accuracy(const Law& law, std::int64_t steps, Alpha alpha) const;
  double spread() const;
  double published_scale(double scale) const;
  Result<Estimator> estimator(const Law& law, Alpha level, std::optional<std::int64_t> threshold) const;
};

}  // namespace vernier::plan
