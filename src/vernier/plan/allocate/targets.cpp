#include <algorithm>
#include <cmath>

#include "vernier/accuracy/accuracy.hpp"
#include "vernier/core/text.hpp"
#include "vernier/interval/population/quantile.hpp"
#include "vernier/noise/integer_scale.hpp"
#include "vernier/numeric/normal.hpp"
#include "vernier/numeric/rounding.hpp"
#include "vernier/plan/allocate/accuracy.hpp"
#include "vernier/plan/allocate/price.hpp"
#include "vernier/plan/bind/bind.hpp"
#include "vernier/plan/bind/ranks.hpp"

// From what was asked to base scales.
namespace vernier::plan {
namespace {

using numeric::Rational;
using Scales = std::array<double, 2>;

constexpr std::int64_t greatest_accuracy = 1'000'000'000'000'000;  // that accuracy::Accuracy takes
constexpr std::int64_t least_accuracy_of_keys = 1;

Failure too_few(const BoundStatistic& statistic, const Measurement& measurement, std::int64_t reach,
                const noise::RankStatistic& ranked) {
  return invalid(described(statistic, measurement) + " cannot be known within so few ranks; ask for at least " +
                 shortest(noise::ranks_of(reach, ranked).round_up()));
}

bool is_choice(const Measurement& measurement) { return measurement.kind == MeasurementKind::quantiles; }
bool is_tree(const Measurement& measurement) { return measurement.kind == MeasurementKind::quantile_tree; }

// The scales at which a tree of counts keeps within the ranks of the target.
Result<Scales> target_scales_of_tree(const BoundStatistic& statistic, const Measurement& measurement, Alpha alpha) {
  Result<Scales> scales = tree_scales(measurement, *measurement.target, alpha);
  if (!scales) return invalid(about(described(statistic, measurement), scales.error()));
  return scales;
}

// What the sample takes of a reach, for typical_rows; nothing where the rows are all that is asked about.
std::int64_t sampled_reach(const BoundStatistic& statistic, const Measurement& measurement,
                           const noise::RankStatistic& ranked, Alpha alpha) {
  if (!measurement.absorbs_sample) return 0;
  return interval::sample_reach(ranked, alpha, greatest_weight(statistic)).at(typical_ranks(statistic));
}

// The greatest reach of a choice that keeps within so many ranks.
Result<std::int64_t> target_reach(const BoundStatistic& statistic, const Measurement& measurement, Alpha alpha) {
  return rank_statistic(measurement).and_then([&](const noise::RankStatistic& ranked) -> Result<std::int64_t> {
    const std::int64_t sampled = sampled_reach(statistic, measurement, ranked, alpha);
    const std::int64_t reach = std::max(noise::reach_for(*measurement.target, ranked), sampled + 1);
    if (noise::ranks_of(reach, ranked) > *measurement.target) return too_few(statistic, measurement, reach, ranked);
    return reach - sampled;
  });
}

// What the target is in steps of the noise, rounded down; of ranks the reach, of a tree that of one count.
Result<std::int64_t> target_steps(const BoundStatistic& statistic, const Measurement& measurement, Alpha alpha) {
  if (is_choice(measurement)) return target_reach(statistic, measurement, alpha);
  if (is_tree(measurement)) {
    return target_scales_of_tree(statistic, measurement, alpha).map([&](const Scales& scales) {
      return static_cast<std::int64_t>(scales[0] * -std::log(alpha.value()));
    });
  }
  const Result<Rational> target = noise_target(statistic, measurement, alpha);
  if (!target) return invalid(about(described(statistic, measurement), target.error()));
  VERNIER_TRY(const Rational steps, accuracy_of_step(statistic, measurement).and_then([&](const Rational& step) {
    return quotient(*target, step);
  }));
  return steps > Rational::of(greatest_accuracy) ? Result<std::int64_t>(greatest_accuracy) : steps.floor();
}

// The targets of all that is published from the integers of the measurement at this place: the least of them; about,
// where several noises are combined.
Result<std::optional<std::int64_t>> least_target_steps(const BoundStatistic& statistic, std::size_t place,
                                                       Alpha alpha) {
  std::optional<std::int64_t> least;
  for (std::size_t i = 0; i < statistic.measurements.size(); ++i) {
    const Measurement& one = statistic.measurements[i];
    if (!one.target || one.source.value_or(i) != place) continue;
    VERNIER_TRY(const std::int64_t steps, target_steps(statistic, one, alpha));
    least = std::min(least.value_or(steps), steps);
  }
  return least;
}

// About the scales with this accuracy, on the continuous laws: it need not be whole.
Scales scales_about(double accuracy, Alpha alpha) {
  return {accuracy / -std::log(alpha.value()), accuracy / numeric::normal_upper_point(std::log(alpha.value() / 2))};
}

// The scale with this reach.
Result<Scales> scales_of_choice(const BoundStatistic& statistic, const Measurement& measurement, std::int64_t reach,
                                Alpha alpha) {
  VERNIER_TRY(const auto ranked, rank_statistic(measurement));
  VERNIER_TRY(const Alpha level, measurement.absorbs_sample ? interval::alpha_of_choice(alpha) : Result<Alpha>(alpha));
  const double scale = noise::scale_for(reach, ranked, level);
  VERNIER_TRY(const auto found,
              noise::Exponential::of(*LaplaceScale::of(scale)).and_then([&](const noise::Exponential& law) {
                return noise::reach_of(law, ranked, level);
              }));
  const std::int64_t sampled = sampled_reach(statistic, measurement, ranked, alpha);
  if (found > reach) return too_few(statistic, measurement, found + sampled, ranked);
  return Scales{scale, scale};
}

// The accuracy of a number with geometric noise that costs what the choice costs, in what one unit can move.
Result<std::int64_t> steps_like(const BoundStatistic& statistic, const Measurement& measurement, std::int64_t reach,
                                Alpha alpha) {
  return scales_of_choice(statistic, measurement, reach, alpha).map([&](const Scales& scales) {
    return static_cast<std::int64_t>(scales[0] / static_cast<double>(measurement.sensitivity.shift) *
                                     -std::log(alpha.value()));
  });
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
    VERNIER_TRY(const auto like, is_choice(one) ? steps_like(statistic, one, **wanted, alpha)
                                                : Result<std::int64_t>(**wanted / one.sensitivity.shift));
    steps = std::max(steps, like);
  }
  return steps;
}

// The scales that meet a column's target.
Result<Scales> target_scales(const BoundStatistic& statistic, const Measurement& one, Alpha alpha) {
  if (is_choice(one)) {
    return target_reach(statistic, one, alpha).and_then([&](std::int64_t reach) {
      return scales_of_choice(statistic, one, reach, alpha);
    });
  }
  if (is_tree(one)) return target_scales_of_tree(statistic, one, alpha);
  if (!is_combined(one)) {
    return target_steps(statistic, one, alpha).map([&](std::int64_t steps) { return scales_for(steps, alpha); });
  }
  Result<Scales> found = combined_scales(statistic, one, alpha);
  if (!found) return invalid(about(described(statistic, one), found.error()));
  return found;
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
    const Measurement& one = statistic.measurements[i];
    if (!one.target || one.source.value_or(i) != place) continue;
    VERNIER_TRY(const Scales scales, target_scales(statistic, one, alpha));
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
    const Scales about = scales_about(relative, level);
    VERNIER_TRY(const auto free, free_scales(measurement, about, level));
    return NoiseItem{moved.shift, moved.coordinates, wanted.value_or(free), !wanted, keys, is_choice(measurement)};
  }

  // Without a target a choice has the part of a number with geometric noise, and so has a level of a tree.
  static Result<Scales> free_scales(const Measurement& measurement, const Scales& about, Alpha level) {
    if (is_choice(measurement)) return Scales{about[0], about[0]};
    if (!is_tree(measurement)) return about;
    return tree_reach(measurement, level).map([&](const interval::TreeReach& reach) {
      return Scales{about[0], about[0] * reach.gaussian_advantage()};
    });
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
