#include <algorithm>
#include <cmath>

#include "vernier/accounting/key_rule.hpp"
#include "vernier/accuracy/accuracy.hpp"
#include "vernier/noise/integer_scale.hpp"
#include "vernier/numeric/normal.hpp"
#include "vernier/numeric/rounding.hpp"
#include "vernier/plan/allocate/accuracy.hpp"
#include "vernier/plan/allocate/planned.hpp"
#include "vernier/plan/allocate/price.hpp"
#include "vernier/plan/bind/bind.hpp"
#include "vernier/plan/bind/sharing.hpp"
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

// Of a measurement: the greatest that a column has which is made from it.
Rational weight_of(const BoundStatistic& statistic, std::size_t place) {
  std::optional<Rational> greatest;
  for (std::size_t i = 0; i < statistic.measurements.size(); ++i) {
    const Measurement& one = statistic.measurements[i];
    if (one.source.value_or(i) != place || (i != place && !one.aggregation)) continue;
    const Rational own = one.weight.value_or(statistic.weight);
    if (!greatest || *greatest < own) greatest = own;
  }
  return greatest.value_or(statistic.weight);
}

// Keys are chosen by a number of units of their own, or by one that another statistic has.
bool chooses_keys(const BoundStatistic& statistic) {
  return !statistic.keys.are_public && !statistic.measurements.front().copied;
}

Scales stricter(const std::optional<Scales>& before, const Scales& scales) {
  if (!before) return scales;
  return {std::min((*before)[0], scales[0]), std::min((*before)[1], scales[1])};
}

Scales looser(const std::optional<Scales>& before, const Scales& scales) {
  if (!before) return scales;
  return {std::max((*before)[0], scales[0]), std::max((*before)[1], scales[1])};
}

// Whether groups are published as is asked, with noise of this scale, if keys risk so much.
bool is_seen(const query::Seen& seen, LawKind kind, double scale, const KeyRisk& risk) {
  const Result<Law> law =
      kind == LawKind::geometric
          ? noise::Geometric::of(*LaplaceScale::of(scale)).map([](const auto& one) { return Law(one); })
          : noise::DiscreteGaussian::of(*Sigma::of(scale)).map([](const auto& one) { return Law(one); });
  const auto threshold = law ? least_threshold(*law, risk) : Result<std::int64_t>(Failure(law.error()));
  return threshold && chance_of(*law, *threshold, seen.units).lower >= seen.chance.round_up();
}

// About the greatest scales of either law at which they are; never greater ones.
Result<Scales> scales_to_see(const query::Seen& seen, const KeyRisk& risk) {
  Scales scales{};
  for (const LawKind kind : law_kinds) {
    double met = noise::least_integer_scale, missed = noise::greatest_integer_scale;
    if (!is_seen(seen, kind, met, risk)) {
      return invalid("cannot see groups of " + std::to_string(seen.units) + " units so often, even without noise");
    }
    while (missed > met * (1 + 0x1p-20)) {
      const double middle = std::sqrt(met) * std::sqrt(missed);
      (is_seen(seen, kind, middle, risk) ? met : missed) = middle;
    }
    scales[static_cast<std::size_t>(kind)] = met;
  }
  return scales;
}

class Items {
 public:
  Items(const BoundStudy& study, privacy::Delta delta)
      : study_(study), members_(members_of_items(study)), is_pure_(delta.is_pure()) {
    const auto with_private_keys = std::count_if(study.statistics.begin(), study.statistics.end(), chooses_keys);
    if (with_private_keys == 0) return;
    delta_of_keys_ = numeric::divide_down(delta.value(), 2 * static_cast<double>(with_private_keys));
  }

  Result<std::vector<NoiseItem>> all() const {
    std::vector<NoiseItem> items;
    for (const std::vector<MeasuredPlace>& members : members_) {
      VERNIER_TRY(const NoiseItem item, one(members));
      items.push_back(item);
    }
    for (const BoundTables& tables : study_.tables) {
      VERNIER_TRY(const NoiseItem item, contrasts(tables));
      items.push_back(item);
    }
    return items;
  }

 private:
  // All contrasts of a [[table]]. Without a target its worst cell is as accurate as a count of the same weight.
  Result<NoiseItem> contrasts(const BoundTables& tables) const {
    if (is_pure_) {
      return invalid("the table \"" + tables.name +
                     "\" has discrete Gaussian noise, which needs a delta above 0; give the budget a delta");
    }
    if (!tables.scale && !study_.budget) {
      return invalid(
          "the table \"" + tables.name +
          "\" has no accuracy, and the study has no budget for it to share; state its accuracy, or a budget");
    }
    const std::vector<double> variances = table::table_variances(*tables.lattice, tables.design.variances);
    const double worst = std::sqrt(*std::max_element(variances.begin(), variances.end()));
    const double free = scales_about(1 / tables.weight.round_up(), tables.level)[1] / worst;
    const double base = tables.scale.value_or(free);
    return NoiseItem{tables.counted.contribution.max_rows, 1, {base, base}, !tables.scale, {}, false, false, &tables};
  }

  Result<NoiseItem> one(const std::vector<MeasuredPlace>& members) const {
    const BoundStatistic& statistic = study_.statistics[members.front().statistic];
    const std::size_t place = members.front().measurement;
    const Measurement& measurement = statistic.measurements[place];
    VERNIER_TRY(const auto keys, terms(statistic, measurement));
    VERNIER_TRY(auto wanted, wanted_by(members));
    if (keys) {
      VERNIER_TRY(wanted, seen_by(members, *keys, wanted));
    }
    if (!wanted && !study_.budget) return nothing_stated(statistic, measurement);
    VERNIER_TRY(const auto free, shared_by(members));
    const std::int64_t times = measurement.parallel ? moved_at_once(study_.neighbours) : 1;
    const bool is_in_box = is_boxed(measured_at(statistic, place));
    const bool is_mixed = is_in_box && wanted && has_open(members);
    NoiseItem made{measurement.sensitivity.shift,
                   times * measurement.sensitivity.coordinates,
                   is_mixed ? free : wanted.value_or(free),
                   !wanted || statistic.at_least || is_mixed,
                   keys,
                   is_choice(measured_at(statistic, place)),
                   is_in_box};
    if (is_mixed) made.greatest = (*wanted)[0];
    return made;
  }

  // Whether a column that is published from them states no accuracy, and so shares the budget.
  bool has_open(const std::vector<MeasuredPlace>& members) const {
    return study_.budget && std::any_of(members.begin(), members.end(), [&](const MeasuredPlace& at) {
             const std::vector<Measurement>& all = study_.statistics[at.statistic].measurements;
             for (std::size_t i = 0; i < all.size(); ++i) {
               if (all[i].source.value_or(i) == at.measurement && all[i].aggregation && !all[i].target) return true;
             }
             return false;
           });
  }

  Result<Alpha> level(const MeasuredPlace& at) const {
    const BoundStatistic& statistic = study_.statistics[at.statistic];
    return level_of(statistic, at.measurement, study_.alpha, planned_groups(statistic));
  }

  // The strictest of all targets. Units that no column shows follow the least accurate column beside them, of all
  // statistics whose keys they choose, unless one of these shows the units and has a target for them.
  Result<std::optional<Scales>> wanted_by(const std::vector<MeasuredPlace>& members) const {
    for (const bool of_hidden : {false, true}) {
      std::optional<Scales> found;
      for (const MeasuredPlace& at : members) {
        const BoundStatistic& statistic = study_.statistics[at.statistic];
        if (is_hidden(statistic.measurements[at.measurement]) != of_hidden) continue;
        VERNIER_TRY(const Alpha alpha, level(at));
        VERNIER_TRY(const auto wanted, wanted_scales(statistic, at.measurement, alpha));
        if (wanted) found = of_hidden ? looser(found, *wanted) : stricter(found, *wanted);
      }
      if (found) return found;
    }
    return std::nullopt;
  }

  // With no more noise than lets groups be seen that are to be: those of all statistics whose keys these units choose.
  Result<std::optional<Scales>> seen_by(const std::vector<MeasuredPlace>& members, const KeyTerms& keys,
                                        std::optional<Scales> wanted) const {
    const KeyRisk risk{accounting::touched_keys(keys.groups, study_.neighbours), keys.delta};
    for (const MeasuredPlace& at : members) {
      const BoundStatistic& statistic = study_.statistics[at.statistic];
      if (!statistic.seen) continue;
      const Result<Scales> found = scales_to_see(*statistic.seen, risk);
      if (!found) return invalid(about("the statistic '" + statistic.name + "'", found.error()));
      wanted = stricter(wanted, *found);
    }
    return wanted;
  }

  // What the budget leaves, before the common factor: the least that one of them would have.
  Result<Scales> shared_by(const std::vector<MeasuredPlace>& members) const {
    std::optional<Scales> least;
    for (const MeasuredPlace& at : members) {
      const BoundStatistic& statistic = study_.statistics[at.statistic];
      const Measurement& measurement = statistic.measurements[at.measurement];
      const double weight = counts_clamped(statistic, measurement) ? clamped_weight : 1;
      const double relative = static_cast<double>(measurement.sensitivity.shift) /
                              (weight_of(statistic, at.measurement).round_up() * weight);
      VERNIER_TRY(const Alpha alpha, level(at));
      VERNIER_TRY(const Scales free,
                  free_scales(measured_at(statistic, at.measurement), scales_about(relative, alpha), alpha));
      least = stricter(least, free);
    }
    return *least;
  }

  static Failure nothing_stated(const BoundStatistic& statistic, const Measurement& measurement) {
    return invalid(described(statistic, measurement) +
                   " has no accuracy, and the study has no budget for it to share; state its accuracy, or a budget");
  }

  Result<std::optional<KeyTerms>> terms(const BoundStatistic& statistic, const Measurement& measurement) const {
    if (statistic.keys.are_public || measurement.kind != Units::kind) return std::nullopt;
    if (delta_of_keys_ > 0) return KeyTerms{statistic.contribution.max_groups, delta_of_keys_};
    return invalid("\"" + statistic.name +
                   "\" has private keys, whose publication needs a delta above 0; give the budget a delta, or declare "
                   "the keys in the catalog");
  }

  const BoundStudy& study_;
  std::vector<std::vector<MeasuredPlace>> members_;
  bool is_pure_;
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

std::vector<std::vector<MeasuredPlace>> members_of_items(const BoundStudy& study) {
  std::vector<std::vector<MeasuredPlace>> members;
  const auto items = items_by_place(study);
  for (std::size_t i = 0; i < items.size(); ++i) {
    for (std::size_t j = 0; j < items[i].size(); ++j) {
      if (study.statistics[i].measurements[j].source) continue;
      if (members.size() <= items[i][j]) members.emplace_back();
      members[items[i][j]].push_back({i, j});
    }
  }
  return members;
}

std::vector<MeasuredPlace> measured_places(const BoundStudy& study) {
  std::vector<MeasuredPlace> places;
  for (const std::vector<MeasuredPlace>& members : members_of_items(study)) places.push_back(members.front());
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
