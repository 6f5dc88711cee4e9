#pragma once

#include "vernier/interval/population/quantile.hpp"
#include "vernier/plan/statistic/ranks.hpp"

namespace vernier::plan {

// QUANTILE(x, a / b), MIN and MAX: ends of an interval, and of a quantile of the rows a value between them, chosen by
// their ranks with the exponential mechanism. Of a population the ends reach over the error of sampling, too. Page:
// docs/theory/quantile.md.
struct Quantile {
  Measured in;

  static constexpr MeasurementKind kind{"quantiles"};
  static constexpr std::array kinds = {kind};
  static constexpr Figure quantile{"quantile", "quantile", MarginKind::in_ranks, true, true};
  static constexpr Figure least{"least", "minimum", MarginKind::in_ranks, true};
  static constexpr Figure greatest{"greatest", "maximum", MarginKind::in_ranks, true};
  static constexpr std::array served = {Served{query::Aggregate::quantile, quantile},
                                        Served{query::Aggregate::least, least},
                                        Served{query::Aggregate::greatest, greatest}};
  static constexpr Sharing sharing = Sharing::same_number;
  static constexpr GridNumbers numbers = GridNumbers::bounds;
  static constexpr bool has_histogram = true;
  static constexpr bool is_chosen = true;

  static Result<Measurement> bind(BoundStatistic& statistic, const query::Aggregation& aggregation);
  static std::optional<Truth> truth(const Figure& figure, query::Fraction fraction, const KnownRows& rows);

  bool is_fine() const;
  std::size_t width() const { return rank_width(in.one); }
  Result<Sensitivity> sensitivity() const;
  Range range() const;
  Brought brought() const;
  std::int64_t most_rows() const;  // that ranks can count

  Result<Told> told(const Law& law, Alpha alpha) const;
  Result<std::int64_t> steps_for(const numeric::Rational& target, Alpha alpha) const;  // the greatest reach within it
  Result<Scales> scales_of(std::int64_t reach, Alpha alpha) const;
  Result<std::int64_t> units_of(std::int64_t reach, Alpha alpha) const;
  Result<Scales> free_scales(const Scales& about, Alpha) const { return Scales{about[0], about[0]}; }
  double published_scale(double scale) const;
  std::string population_fault() const;
  bool has_weights() const { return in.one.figure == Quantile::quantile; }
  Result<Drawing> drawing(const Law& law, Alpha level) const;
  Result<Estimator> estimator(const Law& law, Alpha level, std::optional<std::int64_t> threshold) const;
};

}  // namespace vernier::plan
