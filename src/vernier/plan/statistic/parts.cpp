#include "vernier/plan/statistic/parts.hpp"

#include "vernier/interval/population/count.hpp"
#include "vernier/interval/population/sum.hpp"
#include "vernier/interval/rows/selected.hpp"
#include "vernier/plan/allocate/accuracy.hpp"

namespace vernier::plan {
namespace {

using interval::AdditiveInterval;

template <class Law>
Result<Estimator> additive_estimator(const Scale& scale, const Law& law, Alpha level) {
  return interval::additive_accuracy(law, level).map([scale](std::int64_t accuracy) -> Estimator {
    return [scale, accuracy](std::span<const std::int64_t> noisy) -> Result<Estimate> {
      return scaled(interval::additive(noisy[0], accuracy, scale.possible), scale);
    };
  });
}

template <class Law>
Result<Estimator> selected_estimator(const Scale& scale, const Law& law, Alpha level, std::int64_t threshold) {
  return interval::SelectedInference<Law>::of(law, threshold, scale.possible.greatest(), level)
      .map([scale](const interval::SelectedInference<Law>& inference) -> Estimator {
        return [scale, inference](std::span<const std::int64_t> noisy) -> Result<Estimate> {
          const interval::SelectedInterval found = inference.from(noisy[0]);
          return scaled({found.value, found.accuracy, found.low, found.high}, scale);
        };
      });
}

Estimate of_population(const interval::PopulationInterval& found) { return estimate_of(found, found.status); }

template <class Law>
Result<Estimator> count_estimator(const Law& law, Alpha level, const interval::Design& design) {
  if (design.members_of_weight > 0) {
    VERNIER_TRY(const auto inference, interval::PopulationSumInference<Law>::of_count(law, level, design));
    return Estimator(
        [inference](std::span<const std::int64_t> noisy) { return inference.from(noisy).map(of_population); });
  }
  VERNIER_TRY(const auto inference, interval::PopulationCountInference<Law>::of(law, level, design));
  return Estimator(
      [inference](std::span<const std::int64_t> noisy) { return inference.from(noisy[0]).map(of_population); });
}

}  // namespace

Estimate scaled(const AdditiveInterval& units, const Scale& scale) {
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

const query::Expression& unread() {
  static const query::Expression expression = query::null_of(query::Type::boolean);
  return expression;
}

Argument value_grid(const Measurement& one) { return {unread(), one.granularity, one.origin, {0, one.steps}}; }

bool is_key_count(const Measured& in) {
  if (in.statistic.keys.are_public) return false;
  const Measurement& drawn = in.one.source ? in.statistic.measurements[*in.one.source] : in.one;
  return in.one.source.value_or(in.place) == 0 || (drawn.copied && drawn.copied->measurement == 0);
}

Result<AdditiveLaw> added_by(const Law& law) {
  if (const std::optional<AdditiveLaw> noise = additive(law)) return *noise;
  return invalid("the exponential law chooses the ends of quantiles alone, and that of a box serves several numbers");
}

Result<Estimator> number_estimator(const Measured& in, const Law& law, Alpha level,
                                   std::optional<std::int64_t> threshold) {
  VERNIER_TRY(const auto possible, interval::PossibleRange::of(in.one.least, in.one.greatest));
  const Scale scale{in.one.granularity, possible, in.one.granularity >= 1};
  VERNIER_TRY(const AdditiveLaw noise, added_by(law));
  return std::visit(
      [&](const auto& known) {
        return threshold ? selected_estimator(scale, known, level, *threshold)
                         : additive_estimator(scale, known, level);
      },
      noise);
}

Result<Estimator> population_count_estimator(const Measured& in, const Law& law, Alpha level) {
  VERNIER_TRY(const AdditiveLaw noise, added_by(law));
  return std::visit([&](const auto& known) { return count_estimator(known, level, design_of(in.statistic)); }, noise);
}

}  // namespace vernier::plan
