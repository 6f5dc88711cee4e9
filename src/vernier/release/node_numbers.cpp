#include "vernier/release/node_numbers.hpp"

#include <algorithm>

#include "vernier/interval/linear.hpp"
#include "vernier/interval/mean.hpp"
#include "vernier/interval/variance.hpp"
#include "vernier/plan/moments.hpp"

namespace vernier::release {

using interval::MeanNodes;
using plan::Figure;
using plan::Measurement;

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

}  // namespace vernier::release
