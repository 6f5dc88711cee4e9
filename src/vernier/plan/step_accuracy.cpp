#include "vernier/plan/step_accuracy.hpp"

#include <algorithm>
#include <cmath>

#include "vernier/noise/integer_scale.hpp"
#include "vernier/numeric/rounding.hpp"
#include "vernier/plan/moments.hpp"
#include "vernier/plan/population_accuracy.hpp"

namespace vernier::plan {
namespace {

using numeric::Rational;

// How far the figure moves, for n rows times n, where a node sum moves by one part of a row's weight, or less
// (interval/mean.md, interval/variance.md), in units of granularity / fineness: a mean by 1, a variance by 7/16 of the
// range, a deviation by that over twice a quarter of the range. A count or a sum has no n: by 1 and by the larger
// bound, of `steps`.
Result<Rational> moved_by_part(const Measurement& measurement, const Rational& granularity) {
  const Rational steps = Rational::of(measurement.steps);
  switch (measurement.figure) {
    case Figure::variance_sample:
    case Figure::variance_population:
      return quotient(steps * granularity * Rational::of(7), Rational::of(16));
    case Figure::deviation_sample:
    case Figure::deviation_population:
      return quotient(Rational::of(7), Rational::of(8));
    case Figure::count:
      return quotient(Rational::of(1), steps * granularity);
    case Figure::sum:
      return quotient(Rational::of(std::max(-measurement.origin, measurement.origin + measurement.steps)), steps);
    default:
      return Rational::of(1);
  }
}

// In steps, of what is divided by weights: of rows that have half of the greatest, where they have any.
Rational typical_weight(const BoundStatistic& statistic, const Measurement& measurement) {
  const bool is_quotient = has_nodes(measurement.kind) && !has_fixed_margin(measurement.figure);
  if (!statistic.weighted || !is_quotient) return Rational::of(1);
  return quotient(Rational::of(statistic.weighted->heaviest), Rational::of(2)).value();
}

}  // namespace

Result<Rational> accuracy_of_step(const BoundStatistic& statistic, const Measurement& measurement) {
  const Result<Rational> granularity = Rational::of(measurement.granularity);
  if (!granularity) return granularity;
  const std::int64_t rows = has_fixed_margin(measurement.figure) ? 1 : statistic.typical_rows;
  const Result<Rational> step = quotient(
      *granularity, Rational::of(measurement.fineness) * Rational::of(rows) * typical_weight(statistic, measurement));
  if (!step || !has_nodes(measurement.kind)) return step;
  return moved_by_part(measurement, *granularity).map([&](const Rational& moved) { return moved * *step; });
}

bool is_combined(const Measurement& measurement) {
  return has_nodes(measurement.kind) && has_fixed_margin(measurement.figure);
}

namespace {

// In units of the figure.
Result<std::int64_t> combined_accuracy(const Measurement& measurement, const Law& law, Alpha alpha) {
  const std::optional<AdditiveLaw> noise = additive(law);
  if (!noise) return invalid("is made from sums, which no choice has");
  VERNIER_TRY(const interval::MeanNodes nodes, nodes_of(measurement));
  return linear_figure(measurement, nodes).map([&](const LinearFigure& figure) {
    return std::visit(
        [&]<class Known>(const Known& known) {
          return interval::LinearInference<Known>::of(known, nodes, figure.form, figure.possible, alpha).accuracy();
        },
        *noise);
  });
}

double worth_of_unit(const Measurement& measurement) {
  return measurement.figure == Figure::count ? 1 : measurement.granularity;
}

}  // namespace

namespace {

// Of the noise alone.
Result<double> noise_accuracy(const BoundStatistic& statistic, const Measurement& measurement, const Law& law,
                              std::int64_t steps, Alpha alpha) {
  if (is_combined(measurement)) {
    return combined_accuracy(measurement, law, alpha).map([&](std::int64_t units) {
      return numeric::multiply_up(static_cast<double>(units), worth_of_unit(measurement));
    });
  }
  return accuracy_of_step(statistic, measurement).map([&](const Rational& step) {
    return (step * Rational::of(steps)).round_up();
  });
}

}  // namespace

Result<double> published_accuracy(const BoundStatistic& statistic, const Measurement& measurement, const Law& law,
                                  std::int64_t steps, Alpha alpha) {
  return noise_accuracy(statistic, measurement, law, steps, alpha).map([&](double noise) {
    const bool is_of_population = statistic.inference.of_population && measurement.aggregation;
    return is_of_population ? population_accuracy(statistic, measurement, noise, alpha) : noise;
  });
}

namespace {

// The greatest scale, but for one part in 2^20, at which `is_met`; which no greater scale is, once one is not.
template <class IsMet>
std::optional<double> greatest_scale(const IsMet& is_met) {
  double met = noise::least_integer_scale, missed = noise::greatest_integer_scale;
  if (!is_met(met)) return std::nullopt;
  if (is_met(missed)) return missed;
  while (missed > met * (1 + 0x1p-20)) {
    const double middle = std::sqrt(met) * std::sqrt(missed);
    (is_met(middle) ? met : missed) = middle;
  }
  return met;
}

Result<Law> law_of_scale(std::size_t kind, double scale) {
  const auto any = [](const auto& known) { return Law(known); };
  if (kind == 0) return LaplaceScale::of(scale).and_then(noise::Geometric::of).map(any);
  return Sigma::of(scale).and_then(noise::DiscreteGaussian::of).map(any);
}

}  // namespace

Result<std::array<double, 2>> combined_scales(const BoundStatistic& statistic, const Measurement& measurement,
                                              Alpha alpha) {
  std::array<double, 2> scales{};
  for (std::size_t kind = 0; kind < scales.size(); ++kind) {
    const auto found = greatest_scale([&](double scale) {
      const Result<double> accuracy = law_of_scale(kind, scale).and_then([&](const Law& law) {
        return published_accuracy(statistic, measurement, law, 0, alpha);
      });
      const Result<Rational> exact = accuracy ? Rational::of(*accuracy) : Result<Rational>(Failure(accuracy.error()));
      return exact && *exact <= *measurement.target;
    });
    if (!found)
      return invalid("is made from the sums that it shares, which are not so accurate; state a larger accuracy");
    scales[kind] = *found;
  }
  return scales;
}

}  // namespace vernier::plan
