#include "vernier/release/number/number_maker.hpp"

#include <algorithm>
#include <variant>

#include "vernier/interval/rows/additive.hpp"
#include "vernier/interval/rows/mean.hpp"
#include "vernier/interval/rows/selected.hpp"
#include "vernier/interval/rows/variance.hpp"
#include "vernier/plan/bind/nodes.hpp"
#include "vernier/plan/bind/ranks.hpp"

namespace vernier::release {
namespace {

using interval::AdditiveInterval;
using plan::Measurement;

Result<Scale> scale_of(const Measurement& measurement) {
  return interval::PossibleRange::of(measurement.least, measurement.greatest)
      .map([&](const interval::PossibleRange& possible) {
        return Scale{measurement.granularity, possible, measurement.granularity >= 1};
      });
}

template <class Law>
Result<NumberMaker> additive_maker(const Scale& scale, const Law& law, Alpha alpha) {
  return interval::additive_accuracy(law, alpha).map([scale](std::int64_t accuracy) -> NumberMaker {
    return [scale, accuracy](std::span<const std::int64_t> noisy) -> Result<Number> {
      return scaled(interval::additive(noisy[0], accuracy, scale.possible), scale);
    };
  });
}

template <class Law>
Result<NumberMaker> selected_maker(const Scale& scale, const Law& law, Alpha alpha, std::int64_t threshold) {
  return interval::SelectedInference<Law>::of(law, threshold, scale.possible.greatest(), alpha)
      .map([scale](const interval::SelectedInference<Law>& inference) -> NumberMaker {
        return [scale, inference](std::span<const std::int64_t> noisy) -> Result<Number> {
          const interval::SelectedInterval found = inference.from(noisy[0]);
          return scaled({found.value, found.accuracy, found.low, found.high}, scale);
        };
      });
}

template <class Inference>
Result<Inference> inference_of(const Measurement& measurement, const noise::Exponential& law, Alpha alpha) {
  const auto statistic = plan::rank_statistic(measurement);
  const auto grid = plan::rank_grid(measurement);
  if (!statistic) return Failure(statistic.error());
  return Inference::of(*statistic, *grid, law, alpha);
}

Result<NumberMaker> quantile_maker(const Measurement& measurement, const plan::Law& law, Alpha alpha) {
  const auto* const choice = std::get_if<noise::Exponential>(&law);
  if (choice == nullptr) return invalid("the points of a quantile are chosen by the exponential law");
  constexpr interval::Covers covers = interval::QuantileInterval::covers;
  if (plan::has_chosen_value(measurement)) {
    return points_maker(value_inference(measurement, *choice, alpha), measurement, covers);
  }
  return points_maker(rank_inference(measurement, *choice, alpha), measurement, covers);
}

}  // namespace

// Values are whole steps, at most 2^53 of them, so that the products are exact.
Number quantile_number(const interval::QuantileInterval& found, const Measurement& measurement,
                       interval::Covers covers) {
  const auto value = [&](std::int64_t steps) { return static_cast<double>(steps) * measurement.granularity; };
  const std::int64_t origin = measurement.origin;
  return {.value = value(origin + found.value),
          .accuracy = value(found.accuracy),
          .interval = {value(origin + found.low), value(origin + found.high)},
          .is_whole = measurement.granularity >= 1,
          .coverage = interval::QuantileInterval::status,
          .covers = covers,
          .informative = found.informative,
          .may_be_empty = found.may_be_empty};
}

Number scaled(const AdditiveInterval& units, const Scale& scale) {
  const interval::ScaledInterval found = interval::on_grid(units, *Real::of(scale.granularity));
  const bool is_all = units.low <= scale.possible.least() && units.high >= scale.possible.greatest();
  return {.value = found.value,
          .accuracy = found.accuracy,
          .interval = found.interval,
          .is_whole = scale.is_whole,
          .coverage = AdditiveInterval::status,
          .covers = AdditiveInterval::covers,
          .informative = !is_all};
}

Result<interval::QuantileInference> rank_inference(const Measurement& measurement, const noise::Exponential& law,
                                                   Alpha alpha) {
  return inference_of<interval::QuantileInference>(measurement, law, alpha);
}

Result<interval::ValueQuantileInference> value_inference(const Measurement& measurement, const noise::Exponential& law,
                                                         Alpha alpha) {
  return inference_of<interval::ValueQuantileInference>(measurement, law, alpha);
}

Result<NumberMaker> number_maker(const Measurement& measurement, const plan::Law& law, Alpha alpha,
                                 std::optional<std::int64_t> threshold) {
  VERNIER_TRY(const Scale scale, scale_of(measurement));
  if (measurement.kind == plan::MeasurementKind::quantiles) return quantile_maker(measurement, law, alpha);
  const std::optional<plan::AdditiveLaw> noise = plan::additive(law);
  if (!noise) return invalid("the exponential law chooses the ends of quantiles alone");
  return std::visit(
      [&](const auto& one) -> Result<NumberMaker> {
        if (plan::has_nodes(measurement.kind)) return node_number_maker(measurement, one, alpha);
        if (threshold) return selected_maker(scale, one, alpha, *threshold);
        return additive_maker(scale, one, alpha);
      },
      *noise);
}

using interval::MeanNodes;
using plan::Figure;

// Both ends are whole steps, at most 2^53 of them, so that they are exact.
Result<noise::ValueRange> bounds_of(const Measurement& measurement) {
  const auto value = [&](std::int64_t steps) { return static_cast<double>(steps) * measurement.granularity; };
  const Result<Real> lower = Real::of(value(measurement.origin));
  const Result<Real> upper = Real::of(value(measurement.origin + measurement.steps));
  if (!lower) return Failure(lower.error());
  if (!upper) return Failure(upper.error());
  return noise::ValueRange::of(*lower, *upper);
}

interval::SpreadForm form_of(Figure figure) {
  const bool is_sample = figure == Figure::variance_sample || figure == Figure::deviation_sample;
  const bool is_root = figure == Figure::deviation_sample || figure == Figure::deviation_population;
  return {is_sample ? interval::Divisor::rows_less_one : interval::Divisor::rows, is_root};
}

namespace {

// A mean, or a spread.
template <class Found>
Number published(const Found& found) {
  return {.value = found.value,
          .accuracy = found.accuracy,
          .interval = found.interval,
          .is_whole = false,
          .coverage = Found::status,
          .covers = Found::covers,
          .informative = found.informative,
          .may_be_empty = found.may_be_empty};
}

template <class Law>
Result<NumberMaker> mean_maker(const Measurement& measurement, const MeanNodes& nodes, const Law& law, Alpha alpha) {
  return bounds_of(measurement).map([&](const noise::ValueRange& bounds) -> NumberMaker {
    const auto inference = interval::MeanInference<Law>::of(law, nodes, bounds, alpha);
    return [inference](std::span<const std::int64_t> noisy) {
      return inference.from(noisy).map(published<interval::MeanInterval>);
    };
  });
}

template <class Law>
Result<NumberMaker> spread_maker(const Measurement& measurement, const MeanNodes& nodes, const Law& law, Alpha alpha) {
  VERNIER_TRY(const Real range, Real::of(static_cast<double>(measurement.steps) * measurement.granularity));
  return interval::SpreadInference<Law>::of(law, nodes, range, alpha, form_of(measurement.figure))
      .map([](const interval::SpreadInference<Law>& inference) -> NumberMaker {
        return [inference](std::span<const std::int64_t> noisy) {
          return inference.from(noisy).map(published<interval::SpreadInterval>);
        };
      });
}

template <class Law>
Result<NumberMaker> linear_maker(const Measurement& measurement, const MeanNodes& nodes, const Law& law, Alpha alpha) {
  return plan::linear_figure(measurement, nodes).map([&](const plan::LinearFigure& figure) -> NumberMaker {
    const Scale scale{figure.granularity, figure.possible, figure.granularity >= 1};
    const auto inference = interval::LinearInference<Law>::of(law, nodes, figure.form, figure.possible, alpha);
    return [inference, scale](std::span<const std::int64_t> noisy) {
      return inference.from(noisy).map([&](const interval::AdditiveInterval& units) { return scaled(units, scale); });
    };
  });
}

}  // namespace

template <class Law>
Result<NumberMaker> node_number_maker(const Measurement& measurement, const Law& law, Alpha alpha) {
  if (!plan::can_show(measurement.kind, measurement.figure)) {
    return invalid("it is published as something that its node sums do not hold");
  }
  VERNIER_TRY(const MeanNodes nodes, plan::nodes_of(measurement));
  if (measurement.figure == Figure::mean) return mean_maker(measurement, nodes, law, alpha);
  if (plan::has_fixed_margin(measurement.figure)) return linear_maker(measurement, nodes, law, alpha);
  return spread_maker(measurement, nodes, law, alpha);
}

template Result<NumberMaker> node_number_maker(const Measurement&, const noise::Geometric&, Alpha);
template Result<NumberMaker> node_number_maker(const Measurement&, const noise::DiscreteGaussian&, Alpha);

Result<NumberMaker> tree_maker(const plan::BoundStatistic& statistic, std::size_t measurement, const plan::Law& law) {
  const plan::Measurement& one = statistic.measurements[measurement];
  if (!plan::additive(law)) return invalid("a tree of counts has noise of a law that adds it");
  const auto ranked = plan::rank_statistic(one);
  const auto grid = plan::rank_grid(one);
  if (!ranked) return Failure(ranked.error());
  const std::size_t first = 2 * plan::tree_slot(statistic, measurement);
  return NumberMaker([=](std::span<const std::int64_t> noisy) -> Result<Number> {
    if (first + 2 > noisy.size()) return invalid("a tree of counts has two ends for each of its quantiles");
    if (noisy[first] > noisy[first + 1]) return invalid("the ends of a quantile from a tree of counts never cross");
    return interval::interval_between({noisy[first], noisy[first + 1]}, *ranked, *grid)
        .map([&](const interval::QuantileInterval& found) {
          return quantile_number(found, one, interval::QuantileInterval::covers);
        });
  });
}

}  // namespace vernier::release
