#include <algorithm>
#include <cmath>

#include "vernier/accuracy/accuracy.hpp"
#include "vernier/noise/integer_scale.hpp"
#include "vernier/numeric/normal.hpp"
#include "vernier/numeric/rounding.hpp"
#include "vernier/plan/allocate/accuracy.hpp"
#include "vernier/plan/allocate/price.hpp"
#include "vernier/plan/bind/bind.hpp"
#include "vernier/plan/statistic/statistic.hpp"

// From what was asked to base scales.
namespace vernier::plan {
namespace {

using numeric::Rational;

constexpr std::int64_t least_accuracy_of_keys = 1;

// An error of a measurement, with its column.
template <class T>
Result<T> of_column(const Measured& in, Result<T> found) {
  if (found) return found;
  return invalid(about(described(in.statistic, in.one), found.error()));
}

// The targets of all that is published from the integers of the measurement at this place: the least of them; about,
// where several noises are combined.
Result<std::optional<std::int64_t>> least_target_steps(const BoundStatistic& statistic, std::size_t place,
                                                       Alpha alpha) {
  std::optional<std::int64_t> least;
  for (std::size_t i = 0; i < statistic.measurements.size(); ++i) {
    const Measured in = measured_at(statistic, i);
    if (!in.one.target || in.one.source.value_or(i) != place) continue;
    VERNIER_TRY(const std::int64_t steps, of_column(in, target_steps(in, alpha)));
    least = std::min(least.value_or(steps), steps);
  }
  return least;
}

// About the scales with this accuracy, on the continuous laws: it need not be whole.
Scales scales_about(double accuracy, Alpha alpha) {
  return {accuracy / -std::log(alpha.value()), accuracy / numeric::normal_upper_point(std::log(alpha.value() / 2))};
}

bool is_hidden(const Measurement& measurement) { return !measurement.aggregation; }

// Of the units behind private keys, where no column shows them: as accurate, in what one unit can move, as the least
// accurate column beside them; none where a column states nothing.
Result<std::optional<std::int64_t>> hidden_steps(const BoundStatistic& statistic, Alpha alpha) {
  std::int64_t steps = least_accuracy_of_keys;
  for (std::size_t i = 0; i < statistic.measurements.size(); ++i) {
    const Measurement& one = statistic.measurements[i];
    if (is_hidden(one) || one.source || counts_clamped(statistic, one)) continue;
    const auto wanted = least_target_steps(statistic, i, alpha);
    if (!wanted || !*wanted) return wanted;
    const Measured in = measured_at(statistic, i);
    VERNIER_TRY(const auto like, of_column(in, steps_in_units(in, **wanted, alpha)));
    steps = std::max(steps, like);
  }
  return steps;
}

// Those that meet the targets of all that is published from the measurement at this place; none: what the budget
// leaves.
Result<std::optional<Scales>> wanted_scales(const BoundStatistic& statistic, std::size_t place, Alpha alpha) {
  std::optional<Scales> least;
  if (is_hidden(statistic.measurements[place])) {
    return hidden_steps(statistic, alpha).map([&](const std::optional<std::int64_t>& steps) {
      return steps ? std::optional(scales_for(*steps, alpha)) : std::nullopt;
    });
  }
  for (std::size_t i = 0; i < statistic.measurements.size(); ++i) {
    const Measured in = measured_at(statistic, i);
    if (!in.one.target || in.one.source.value_or(i) != place) continue;
    VERNIER_TRY(const Scales scales, of_column(in, scales_within_target(in, alpha)));
    const Scales before = least.value_or(scales);
    least = Scales{std::min(before[0], scales[0]), std::min(before[1], scales[1])};
  }
  return least;
}

class Items {
 public:
  Items(const BoundStudy& study, privacy::Delta delta) : study_(study) {
    const auto with_private_keys = std::count_if(study.statistics.begin(), study.statistics.end(),
                                                 [](const BoundStatistic& one) { return !one.keys.are_public; });
    if (with_private_keys == 0) return;
    delta_of_keys_ = numeric::divide_down(delta.value(), 2 * static_cast<double>(with_private_keys));
  }

  Result<std::vector<NoiseItem>> all() const {
    std::vector<NoiseItem> items;
    for (const MeasuredPlace& place : measured_places(study_)) {
      VERNIER_TRY(const NoiseItem item, one(study_.statistics[place.statistic], place.measurement));
      items.push_back(item);
    }
    return items;
  }

 private:
  Result<NoiseItem> one(const BoundStatistic& statistic, std::size_t place) const {
    const Measurement& measurement = statistic.measurements[place];
    const Sensitivity& moved = measurement.sensitivity;
    VERNIER_TRY(const auto level, level_of(statistic, place, study_.alpha, planned_groups(statistic)));
    VERNIER_TRY(const auto wanted, wanted_scales(statistic, place, level));
    if (!wanted && !study_.budget) return nothing_stated(statistic, measurement);
    VERNIER_TRY(const auto keys, terms(statistic, measurement));
    const double weight = counts_clamped(statistic, measurement) ? clamped_weight : 1;
    const double relative = static_cast<double>(moved.shift) / (statistic.weight.round_up() * weight);
    VERNIER_TRY(const auto free, free_scales(measured_at(statistic, place), scales_about(relative, level), level));
    return NoiseItem{
        moved.shift, moved.coordinates, wanted.value_or(free), !wanted, keys, is_choice(measured_at(statistic, place))};
  }

  static Failure nothing_stated(const BoundStatistic& statistic, const Measurement& measurement) {
    return invalid(described(statistic, measurement) +
                   " has no accuracy, and the study has no budget for it to share; state its accuracy, or a budget");
  }

  Result<std::optional<KeyTerms>> terms(const BoundStatistic& statistic, const Measurement& measurement) const {
    if (statistic.keys.are_public || measurement.kind != MeasurementKind::units) return std::nullopt;
    if (delta_of_keys_ > 0) return KeyTerms{statistic.contribution.max_groups, delta_of_keys_};
    return invalid("\"" + statistic.name +
                   "\" has private keys, whose publication needs a delta above 0; give the budget a delta, or declare "
                   "the keys in the catalog");
  }

  const BoundStudy& study_;
  double delta_of_keys_ = 0;
};

}  // namespace

Scales scales_for(std::int64_t steps, Alpha alpha) {
  const accuracy::Accuracy wanted = accuracy::Accuracy::of(static_cast<double>(steps)).value();
  const auto geometric = accuracy::geometric_for(wanted, alpha, accuracy::Cells::one());
  const auto gaussian = accuracy::discrete_gaussian_for(wanted, alpha, accuracy::Cells::one());
  return {geometric ? geometric->scale() : noise::greatest_integer_scale,
          gaussian ? gaussian->scale() : noise::greatest_integer_scale};
}

std::vector<MeasuredPlace> measured_places(const BoundStudy& study) {
  std::vector<MeasuredPlace> places;
  for (std::size_t i = 0; i < study.statistics.size(); ++i) {
    const std::vector<Measurement>& all = study.statistics[i].measurements;
    for (std::size_t j = 0; j < all.size(); ++j) {
      if (!all[j].source) places.push_back({i, j});
    }
  }
  return places;
}

std::string described(const BoundStatistic& statistic, const Measurement& measurement) {
  const std::string of = " of \"" + statistic.name + "\"";
  if (!measurement.aggregation) return "the number of units by which the keys" + of + " are chosen";
  return "\"" + statistic.query.aggregations[*measurement.aggregation].name + "\"" + of;
}

Result<std::vector<NoiseItem>> items_of(const BoundStudy& study, privacy::Delta delta) {
  return Items(study, delta).all();
}

}  // namespace vernier::plan
