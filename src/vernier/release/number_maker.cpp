#include "vernier/release/number_maker.hpp"

#include <variant>

#include "vernier/interval/additive.hpp"
#include "vernier/interval/selected.hpp"
#include "vernier/plan/moments.hpp"
#include "vernier/plan/rank_measure.hpp"
#include "vernier/release/node_numbers.hpp"

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

}  // namespace vernier::release
