#include <algorithm>
#include <cmath>

#include "vernier/interval/population/mean.hpp"
#include "vernier/interval/population/proportion.hpp"
#include "vernier/interval/population/spread.hpp"
#include "vernier/interval/population/sum.hpp"
#include "vernier/interval/rows/mean.hpp"
#include "vernier/numeric/rounding.hpp"
#include "vernier/plan/allocate/accuracy.hpp"
#include "vernier/plan/statistic/fine_sum.hpp"
#include "vernier/plan/statistic/moment_sum.hpp"
#include "vernier/plan/statistic/nodes.hpp"

// What is published from node sums.
namespace vernier::plan {
namespace {

using interval::MeanNodes;
using numeric::Rational;
using Noisy = std::span<const std::int64_t>;

// How far the figure moves, for n rows times n, where a node sum moves by one part of a row's weight, or less
// (interval/rows/mean.md, interval/rows/variance.md), in units of granularity / fineness: a mean by 1, a variance by
// 7/16 of the range, a deviation by that over twice a quarter of the range. A count or a sum has no n: by 1 and by the
// larger bound, of `steps`.
Result<Rational> moved_by_part(const Measurement& measurement, const Rational& granularity) {
  const Rational steps = Rational::of(measurement.steps);
  if (is_variance(measurement.figure)) return quotient(steps * granularity * Rational::of(7), Rational::of(16));
  if (is_deviation(measurement.figure)) return quotient(Rational::of(7), Rational::of(8));
  if (measurement.figure == Figure::count) return quotient(Rational::of(1), steps * granularity);
  if (measurement.figure != Figure::sum) return Rational::of(1);
  return quotient(Rational::of(std::max(-measurement.origin, measurement.origin + measurement.steps)), steps);
}

// In steps, of what is divided by weights: of rows that have half of the greatest, where they have any.
Rational typical_weight(const Measured& in) {
  if (!in.is_weighted() || has_fixed_margin(in.one.figure)) return Rational::of(1);
  return quotient(Rational::of(in.statistic.weighted->heaviest), Rational::of(2)).value();
}

// In units of the figure.
Result<std::int64_t> combined_accuracy(const Measured& in, const AdditiveLaw& law, Alpha alpha) {
  VERNIER_TRY(const MeanNodes nodes, nodes_of(in));
  VERNIER_TRY(const SumLevels levels, sum_levels(alpha));
  const Alpha level = is_rounded_moment_sum(in) ? levels.of_sum : alpha;
  return linear_figure(in.one, nodes).map([&](const LinearFigure& figure) {
    return std::visit(
        [&]<class Known>(const Known& known) {
          return interval::LinearInference<Known>::of(known, nodes, figure.form, figure.possible, level).accuracy();
        },
        law);
  });
}

interval::SpreadForm form_of(const Figure& figure) {
  const bool is_sample = figure == Moments::variance_sample || figure == Moments::deviation_sample;
  return {is_sample ? interval::Divisor::rows_less_one : interval::Divisor::rows, is_deviation(figure)};
}

Result<Real> range_of(const Measurement& measurement) {
  return Real::of(static_cast<double>(measurement.steps) * measurement.granularity);
}

// The figures of the rows with noise of one law.
template <class Law>
struct OfRows {
  const Measurement& one;
  const MeanNodes& nodes;
  const Law& law;
  Alpha level;

  Result<Estimator> mean() const {
    return bounds_of(one).map([&](const noise::ValueRange& bounds) -> Estimator {
      const auto inference = interval::MeanInference<Law>::of(law, nodes, bounds, level);
      return [inference](Noisy noisy) {
        return inference.from(noisy).map(
            [](const interval::MeanInterval& found) { return estimate_of(found, interval::MeanInterval::status); });
      };
    });
  }

  Result<Estimator> spread() const {
    VERNIER_TRY(const Real range, range_of(one));
    VERNIER_TRY(const auto inference,
                interval::SpreadInference<Law>::of(law, nodes, range, level, form_of(one.figure)));
    return Estimator([inference](Noisy noisy) {
      return inference.from(noisy).map(
          [](const interval::SpreadInterval& found) { return estimate_of(found, interval::SpreadInterval::status); });
    });
  }

  Result<Estimator> total() const {
    return linear_figure(one, nodes).map([&](const LinearFigure& figure) -> Estimator {
      const Scale scale{figure.granularity, figure.possible, figure.granularity >= 1};
      const auto inference = interval::LinearInference<Law>::of(law, nodes, figure.form, figure.possible, level);
      return [inference, scale](Noisy noisy) {
        return inference.from(noisy).map([&](const interval::AdditiveInterval& units) { return scaled(units, scale); });
      };
    });
  }

  Result<Estimator> estimator() const {
    if (one.figure == Figure::mean) return mean();
    return has_fixed_margin(one.figure) ? total() : spread();
  }
};

// Those of the population.
template <class Law>
struct OfPopulation {
  const Measurement& one;
  const MeanNodes& nodes;
  const Law& law;
  Alpha level;
  interval::Assurance assurance;
  interval::Design design;

  template <class Inference>
  static Result<Estimator> from(const Result<Inference>& made) {
    if (!made) return Failure(made.error());
    return Estimator([inference = *made](Noisy noisy) {
      return inference.from(noisy).map(
          [](const interval::PopulationInterval& found) { return estimate_of(found, found.status); });
    });
  }

  // Of weighted rows, one less would be one step of a weight, which tells nothing.
  interval::SpreadForm form() const {
    interval::SpreadForm form = form_of(one.figure);
    if (design.greatest_weight != 1) form.divisor = interval::Divisor::rows;
    return form;
  }

  Result<Estimator> estimator() const {
    if (one.figure == Figure::count) return invalid("it is published as something that its node sums do not hold");
    VERNIER_TRY(const noise::ValueRange bounds, bounds_of(one));
    if (one.figure == Figure::sum) {
      return from(interval::PopulationSumInference<Law>::of(law, nodes, bounds, level, design));
    }
    if (one.figure != Figure::mean) {
      VERNIER_TRY(const Real range, range_of(one));
      return from(interval::PopulationSpreadInference<Law>::of(law, nodes, range, level, form(), design));
    }
    if (one.kind == Mean::kind) {
      return from(interval::PopulationProportionInference<Law>::of(law, nodes, bounds, level, assurance, design));
    }
    return from(interval::PopulationMeanInference<Law>::of(law, nodes, bounds, level, assurance, design));
  }
};

}  // namespace

bool is_combined(const Measurement& measurement) {
  return has_nodes(measurement.kind) && has_fixed_margin(measurement.figure);
}

Result<Rational> node_step(const Measured& in) {
  VERNIER_TRY(const Rational granularity, Rational::of(in.one.granularity));
  const std::int64_t rows = has_fixed_margin(in.one.figure) ? 1 : in.statistic.typical_rows;
  VERNIER_TRY(const Rational step,
              quotient(granularity, Rational::of(in.one.fineness) * Rational::of(rows) * typical_weight(in)));
  return moved_by_part(in.one, granularity).map([&](const Rational& moved) { return moved * step; });
}

Result<double> node_accuracy(const Measured& in, const Law& law, std::int64_t steps, Alpha alpha) {
  if (is_combined(in.one)) {
    VERNIER_TRY(const AdditiveLaw noise, added_by(law));
    VERNIER_TRY(const std::int64_t units, combined_accuracy(in, noise, alpha));
    return numeric::multiply_up(static_cast<double>(units), in.one.figure == Figure::count ? 1 : in.one.granularity);
  }
  return node_step(in).map([&](const Rational& step) { return (step * Rational::of(steps)).round_up(); });
}

// The standard deviation of what a row adds to the sum or to the mean that the figure is, or is made from.
double node_spread(const Measurement& measurement) {
  const double range = static_cast<double>(measurement.steps) * measurement.granularity;
  const double spread = measurement.steps == 1 ? range / 2 : range / 4;
  if (measurement.figure == Figure::count) return 1;
  if (measurement.figure == Figure::sum) {
    const double lower = static_cast<double>(measurement.origin) * measurement.granularity;
    return std::max(std::abs(lower), std::abs(lower + range)) / 2;
  }
  if (is_variance(measurement.figure)) return std::sqrt(2.0) * spread * spread;  // of a normal law
  return is_deviation(measurement.figure) ? spread / std::sqrt(2.0) : spread;
}

double node_scale(const Measurement& measurement, double scale) {
  const double in_values = scale * measurement.granularity / static_cast<double>(measurement.fineness);
  const double range = measurement.granularity * static_cast<double>(measurement.steps);
  if (measurement.figure == Figure::count) return in_values / range;
  return is_variance(measurement.figure) ? in_values * range : in_values;
}

namespace {

// Of the steps, as if values were whole ones.
Result<Estimator> steps_estimator(const Measured& in, const AdditiveLaw& noise, Alpha level) {
  VERNIER_TRY(const MeanNodes nodes, nodes_of(in));
  return std::visit(
      [&]<class Known>(const Known& known) -> Result<Estimator> {
        if (!in.is_of_population()) return OfRows<Known>{in.one, nodes, known, level}.estimator();
        return OfPopulation<Known>{in.one, nodes, known, level, assurance_of(in.statistic), design_of(in.statistic)}
            .estimator();
      },
      noise);
}

}  // namespace

Result<Estimator> node_estimator(const Measured& in, const Law& law, Alpha level) {
  if (!can_show(in.one.kind, in.one.figure)) {
    return invalid("it is published as something that its node sums do not hold");
  }
  VERNIER_TRY(const AdditiveLaw noise, added_by(law));
  if (!is_rounded_moment_sum(in)) return steps_estimator(in, noise, level);
  VERNIER_TRY(const SumLevels levels, sum_levels(level));
  return steps_estimator(in, noise, levels.of_sum).map([&](const Estimator& of_steps) -> Estimator {
    return [of_steps, one = in.one, reach = sum_reach(in, noise, levels.of_rows)](Noisy noisy) {
      return of_steps(noisy).map([&](const Estimate& found) { return widened_sum(one, found, reach(noisy)); });
    };
  });
}

// Both ends are whole steps, at most 2^53 of them, so that they are exact.
Result<noise::ValueRange> bounds_of(const Measurement& measurement) {
  const auto value = [&](std::int64_t steps) { return static_cast<double>(steps) * measurement.granularity; };
  VERNIER_TRY(const Real lower, Real::of(value(measurement.origin)));
  VERNIER_TRY(const Real upper, Real::of(value(measurement.origin + measurement.steps)));
  return noise::ValueRange::of(lower, upper);
}

}  // namespace vernier::plan
