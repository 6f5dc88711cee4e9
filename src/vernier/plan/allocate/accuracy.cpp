#include "vernier/plan/allocate/accuracy.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "vernier/core/text.hpp"
#include "vernier/interval/levels.hpp"
#include "vernier/interval/population/quantile.hpp"
#include "vernier/noise/integer_scale.hpp"
#include "vernier/noise/rank_reach.hpp"
#include "vernier/numeric/normal.hpp"
#include "vernier/numeric/rounding.hpp"
#include "vernier/plan/bind/nodes.hpp"

namespace vernier::plan {
namespace {

// Of published columns: how many have noise of their own, how many there are, and how many share with this one.
struct Figures {
  std::int64_t independent = 0;
  std::int64_t all = 0;
  std::int64_t alike = 0;
};

Figures figures_of(const BoundStatistic& statistic, std::size_t measurement) {
  const auto source_of = [&](std::size_t i) { return statistic.measurements[i].source.value_or(i); };
  std::set<std::size_t> sources;
  Figures found;
  for (std::size_t i = 0; i < statistic.measurements.size(); ++i) {
    if (!statistic.measurements[i].aggregation) continue;
    sources.insert(source_of(i));
    ++found.all;
    found.alike += source_of(i) == source_of(measurement) ? 1 : 0;
  }
  found.independent = static_cast<std::int64_t>(sources.size());
  return found;
}

}  // namespace

Result<Alpha> level_of(const BoundStatistic& statistic, std::size_t measurement, Alpha together, std::int64_t groups) {
  if (!statistic.inference.is_simultaneous) return together;
  const Figures figures = figures_of(statistic, measurement);
  if (figures.alike == 0) return together;  // nothing is published from it
  if (statistic.inference.of_population) return interval::each_of(together, 1, groups * figures.all);
  return interval::each_of(together, groups * figures.independent, figures.alike);
}

std::int64_t planned_groups(const BoundStatistic& statistic) {
  return statistic.keys.are_public ? released_groups(statistic, statistic.keys.cells.size()) : 1;
}

std::int64_t released_groups(const BoundStatistic& statistic, std::size_t rows) {
  const std::size_t groups = statistic.keys.are_public ? statistic.keys.cells.size() : rows;
  return static_cast<std::int64_t>(std::max<std::size_t>(groups, 1));
}

namespace {

using numeric::Rational;

// How far the figure moves, for n rows times n, where a node sum moves by one part of a row's weight, or less
// (interval/rows/mean.md, interval/rows/variance.md), in units of granularity / fineness: a mean by 1, a variance by
// 7/16 of the range, a deviation by that over twice a quarter of the range. A count or a sum has no n: by 1 and by the
// larger bound, of `steps`.
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

namespace {

constexpr double last_digits = 1e-9;  // of figures that are known about

bool is_total(const Measurement& measurement) { return has_fixed_margin(measurement.figure); }

// For how many members of the population a row stands, or a step of its weight; of what is no total 1.
double members_of_step(const BoundStatistic& statistic, const Measurement& measurement) {
  if (!is_total(measurement)) return 1;
  const interval::Design design = design_of(statistic);
  if (design.members_of_weight > 0) return design.members_of_weight;
  return design.sampled > 0 ? 1 / design.sampled : 1;
}

// The standard deviation of what a row adds to the sum or to the mean that the figure is, or is made from.
double spread_of_row(const Measurement& measurement) {
  const double range = static_cast<double>(measurement.steps) * measurement.granularity;
  const double spread = measurement.steps == 1 ? range / 2 : range / 4;
  switch (measurement.figure) {
    case Figure::count:
      return 1;
    case Figure::sum: {
      const double lower = static_cast<double>(measurement.origin) * measurement.granularity;
      return std::max(std::abs(lower), std::abs(lower + range)) / 2;
    }
    case Figure::variance_sample:
    case Figure::variance_population:
      return std::sqrt(2.0) * spread * spread;  // of a normal law
    case Figure::deviation_sample:
    case Figure::deviation_population:
      return spread / std::sqrt(2.0);
    default:
      return spread;
  }
}

// Of weights that lie evenly between 0 and the greatest: the mean of their squares over the square of their mean.
constexpr double typical_design_effect = 4.0 / 3;

// What sampling adds to the variance of a total for each row with value 1, in squared members: of weights that lie
// evenly between 0 and H, with mean H/2, the interval has H (1 - 1/H) times that.
double total_variance_of_row(const BoundStatistic& statistic) {
  const double most = statistic.weighted->most_members();
  return std::max(most - 1, 0.0) * most / 2;
}

// About, by the normal law, which for many rows the sampling error has.
double sampling_accuracy(const BoundStatistic& statistic, const Measurement& measurement, Alpha alpha) {
  const double left_out = 1 - design_of(statistic).sampled;
  const double rows = std::sqrt(static_cast<double>(statistic.typical_rows) * left_out);
  const double point = numeric::normal_upper_point(std::log(alpha.value() / 2));
  if (is_total(measurement) && statistic.weighted) {
    return point * spread_of_row(measurement) * rows * std::sqrt(total_variance_of_row(statistic));
  }
  const double unequal = statistic.weighted ? std::sqrt(typical_design_effect) : 1;
  const double moved = point * spread_of_row(measurement) * rows * unequal;
  if (is_total(measurement)) return moved * members_of_step(statistic, measurement);
  return moved / static_cast<double>(statistic.typical_rows);
}

}  // namespace

interval::Design design_of(const BoundStatistic& statistic) {
  const auto& sampled = statistic.table.sampled;
  return {.sampled = sampled ? nearest(*sampled) : 0,
          .greatest_weight = static_cast<double>(heaviest_of(statistic)),
          .members_of_weight = statistic.weighted ? statistic.weighted->granularity : 0};
}

double population_accuracy(const BoundStatistic& statistic, const Measurement& measurement, double noise, Alpha alpha) {
  const double sampling = sampling_accuracy(statistic, measurement, alpha);
  return std::hypot(noise * members_of_step(statistic, measurement), sampling) * (1 + last_digits);
}

Result<Rational> noise_target(const BoundStatistic& statistic, const Measurement& measurement, Alpha alpha) {
  if (!statistic.inference.of_population) return *measurement.target;
  const double target = measurement.target->round_down() * (1 - 4 * last_digits);
  const double sampling = sampling_accuracy(statistic, measurement, alpha);
  if (target <= sampling) {
    return invalid("cannot be known within that: " + std::to_string(statistic.typical_rows) +
                   " rows, as a sample of the population, know it within about " + rounded_up_text(sampling, 3) +
                   " even without noise; ask for a larger accuracy, or state typical_rows if groups have more rows");
  }
  const double left = std::sqrt((target - sampling) * (target + sampling));
  return Rational::of(left / members_of_step(statistic, measurement));
}

std::optional<std::int64_t> greatest_weight(const BoundStatistic& statistic) {
  return statistic.weighted ? std::optional(statistic.weighted->heaviest) : std::nullopt;
}

std::int64_t typical_ranks(const BoundStatistic& statistic) {
  if (!statistic.weighted) return statistic.typical_rows;
  constexpr Int128 most = Int128{1} << 60;
  return static_cast<std::int64_t>(
      std::min(Int128{statistic.typical_rows} * statistic.weighted->heaviest / 2 + 1, most));
}

Result<std::int64_t> reach_of(const BoundStatistic& statistic, const noise::Exponential& law,
                              const noise::RankStatistic& ranked, Alpha alpha) {
  if (!statistic.inference.of_population) return noise::reach_of(law, ranked, alpha);
  return interval::population_reach(law, ranked, alpha, greatest_weight(statistic))
      .map([&](const noise::RankReach& reach) { return reach.at(typical_ranks(statistic)); });
}

}  // namespace vernier::plan
