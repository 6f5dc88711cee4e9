#pragma once

#include "vernier/interval/population/quantile.hpp"
#include "vernier/plan/statistic/ranks.hpp"

namespace vernier::plan {

// QUANTILE(x, a / b), MIN and MAX: ends of an interval, and of a quantile of the rows a value between them, chosen by
// their ranks with the exponential mechanism. Of a population the ends reach over the error of sampling, too. Page:
// docs/theory/quantile.md.
struct Quantile {
  Measured in;

  static constexpr std::array kinds = {MeasurementKind::quantiles};
  static constexpr Sharing sharing = Sharing::same_number;
  static constexpr GridNumbers numbers = GridNumbers::bounds;
  static constexpr bool has_histogram = true;
  static constexpr bool is_chosen = true;

  static bool serves(const BoundStatistic& statistic, const query::Aggregation& aggregation);
  static Result<Measurement> bind(BoundStatistic& statistic, const query::Aggregation& aggregation);

  bool shows(Figure figure) const { return is_in_ranks(figure); }
  bool is_fine() const;
  std::size_t width() const { return rank_width(in.one); }
  Result<Sensitivity> sensitivity() const;
  Range range() const;

  Result<Told> told(const Law& law, Alpha alpha) const;
  Result<std::int64_t> steps_for(const numeric::Rational& target, Alpha alpha) const;  // the greatest reach within it
  Result<Scales> scales_of(std::int64_t reach, Alpha alpha) const;
  Result<std::int64_t> units_of(std::int64_t reach, Alpha alpha) const;
  Result<Scales> free_scales(const Scales& about, Alpha) const { return Scales{about[0], about[0]}; }
  double published_scale(double scale) const;
  std::string population_fault() const;
  bool has_weights() const { return in.one.figure == Figure::quantile; }
  Result<Drawing> drawing(const Law& law, Alpha level) const;
  Result<Estimator> estimator(const Law& law, Alpha level, std::optional<std::int64_t> threshold) const;
};

}  // namespace vernier::plan
