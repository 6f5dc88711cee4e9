#pragma once

#include "vernier/plan/statistic/parts.hpp"

namespace vernier::plan {

// VARIANCE and STDDEV of x, and AVG(x), SUM(x) and COUNT(x) beside one of them: three node sums of Bernstein's basis,
// of (K-k)^2, 2k(K-k) and k^2 in parts of the weight. Of a population also AVG and SUM alone, of weighted rows all of
// them. Where the number of rows is public: that number before them (public_count.md). Page: interval/rows/variance.md.
struct Moments {
  Measured in;

  static constexpr std::array kinds = {MeasurementKind::moments, MeasurementKind::public_moments};
  static constexpr Sharing sharing = Sharing::same_sums;
  static constexpr GridNumbers numbers = GridNumbers::squares;

  static bool serves(const BoundStatistic& statistic, const query::Aggregation& aggregation);
  static Result<Measurement> bind(BoundStatistic& statistic, const query::Aggregation& aggregation);

  bool has_public_count() const { return in.one.kind == MeasurementKind::public_moments; }
  bool shows(Figure figure) const;
  bool is_fine() const;
  std::size_t width() const { return has_public_count() ? 4 : 3; }
  Result<Sensitivity> sensitivity() const;
  Range range() const;
  void write(std::span<const Int128> tallies, std::span<Int128> out) const;

  bool is_combined() const;
  Result<numeric::Rational> step() const;
  Result<double> noise_accuracy(const Law& law, std::int64_t steps, Alpha alpha) const;
  bool has_weights() const { return !has_public_count() && in.one.figure != Figure::count; }
  double spread() const;
  double published_scale(double scale) const;
  Result<Estimator> estimator(const Law& law, Alpha level, std::optional<std::int64_t> threshold) const;
};

}  // namespace vernier::plan
