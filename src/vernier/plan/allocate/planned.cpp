#include "vernier/plan/allocate/planned.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "vernier/accounting/key_rule.hpp"
#include "vernier/accuracy/accuracy.hpp"
#include "vernier/numeric/search.hpp"
#include "vernier/plan/allocate/accuracy.hpp"
#include "vernier/plan/bind/sharing.hpp"
#include "vernier/plan/statistic/statistic.hpp"
#include "vernier/plan/tables/description.hpp"

namespace vernier::plan {
namespace {

double copies_of(const NoiseItem& item, privacy::Neighbours neighbours) {
  return static_cast<double>(item.keys ? accounting::touched_keys(item.keys->groups, neighbours) : item.coordinates);
}

double cost_of_one(const NoiseItem& item, const Law& law, privacy::Delta delta) {
  if (delta.is_pure()) return static_cast<double>(item.shift) / scale_of(law);
  return std::visit([&](const auto& known) { return expected_loss(known, item.shift); }, law);
}

}  // namespace

// (E|X - d| - E|X|) / scale with q = e^(-1/scale), where E(X - d)+ = q^(d+1) / (1 - q^2). Near d = 0, where nothing
// would be left of the difference, d^2 / (2 scale^2).
double expected_loss(const noise::Geometric& law, std::int64_t shift) {
  const double scale = law.scale(), moved = static_cast<double>(shift) / scale;
  if (moved < 1e-4 && scale > 1e4) return moved * moved / 2;
  const double back = 2 * std::exp(-1 / scale) * std::expm1(-moved) / std::expm1(-2 / scale);
  return std::max(0.0, moved - back / scale);
}

double expected_loss(const noise::DiscreteGaussian& law, std::int64_t shift) {
  const double moved = static_cast<double>(shift) / law.scale();
  return moved * moved / 2;
}

double expected_loss(const noise::Exponential& law, std::int64_t shift) {
  const double epsilon = static_cast<double>(shift) / law.scale();
  return epsilon < 1e-3 ? epsilon * epsilon / 6 : epsilon / std::tanh(epsilon / 2) - 2;
}

// |x - d| - |x| has the mean d + e^-d - 1, in units of the scale.
double expected_loss(const noise::Box& law, std::int64_t shift) {
  const double moved = static_cast<double>(shift) / law.scale();
  return moved < 1e-4 ? moved * moved / 2 : moved + std::expm1(-moved);
}

std::vector<double> shares_of(const std::vector<NoiseItem>& items, const std::vector<Law>& laws,
                              privacy::Neighbours neighbours, privacy::Delta delta) {
  std::vector<double> costs;
  for (std::size_t i = 0; i < items.size(); ++i) {
    costs.push_back(copies_of(items[i], neighbours) * cost_of_one(items[i], laws[i], delta));
  }
  const double total = std::accumulate(costs.begin(), costs.end(), 0.0);
  for (double& cost : costs) cost /= total;
  return costs;
}

namespace {

constexpr std::array<double, 5> milestones = {0.01, 0.05, 0.5, 0.95, 0.99};
constexpr std::int64_t most_units = std::int64_t{1} << 54;  // twice the greatest threshold

template <class Known>
Bounds chance(const accounting::KeyRule& rule, const Known& law, std::int64_t units) {
  return rule.chance(law, units);
}
Bounds chance(const accounting::KeyRule&, const noise::Exponential&, std::int64_t) { return {0, 1}; }
Bounds chance(const accounting::KeyRule&, const noise::Box&, std::int64_t) { return {0, 1}; }

}  // namespace

Bounds chance_of(const Law& law, std::int64_t threshold, std::int64_t units) {
  const accounting::KeyRule rule(threshold);
  return std::visit([&](const auto& known) { return chance(rule, known, units); }, law);
}

namespace {

// The least number of units with at least this chance. A group has at least one.
std::int64_t units_for(const Law& law, std::int64_t threshold, double wanted) {
  const auto reaches = [&](std::int64_t units) { return chance_of(law, threshold, units).lower >= wanted; };
  return numeric::least_integer(reaches, threshold, {1, most_units}).value_or(most_units);
}

void add_round_sizes(std::set<std::int64_t>& sizes, std::int64_t first, std::int64_t last) {
  for (std::int64_t power = 1; power <= last; power *= 10) {
    for (const std::int64_t size : {power, 2 * power, 5 * power}) {
      if (first < size && size < last) sizes.insert(size);
    }
  }
}

}  // namespace

std::vector<PublishedChance> forecast(const Law& law, std::int64_t threshold) {
  std::set<std::int64_t> sizes;
  for (const double wanted : milestones) sizes.insert(units_for(law, threshold, wanted));
  add_round_sizes(sizes, *sizes.begin(), *sizes.rbegin());
  sizes.insert(1);
  std::vector<PublishedChance> found;
  found.reserve(sizes.size());
  for (const std::int64_t units : sizes) found.push_back({units, chance_of(law, threshold, units)});
  return found;
}

namespace {

Result<KeyPlan> keys_of(const NoiseItem& item, const Law& law, privacy::Neighbours neighbours) {
  VERNIER_TRY(const auto threshold, threshold_of(item, law, neighbours));
  const std::int64_t touched = accounting::touched_keys(item.keys->groups, neighbours);
  return KeyPlan{threshold, escape_of_any(law, touched, threshold).upper, forecast(law, threshold)};
}

// The noise of the items, statistic by statistic.
class Statistics {
 public:
  Statistics(const BoundStudy& study, const std::vector<NoiseItem>& items, const std::vector<Law>& laws,
             privacy::Delta delta)
      : study_(study), items_(items), laws_(laws), shares_(shares_of(items, laws, study.neighbours, delta)) {}

  Result<std::vector<PlannedStatistic>> all() {
    std::vector<PlannedStatistic> all;
    for (std::size_t i = 0; i < study_.statistics.size(); ++i) {
      VERNIER_TRY(auto one, planned(i));
      all.push_back(std::move(one));
    }
    return all;
  }

 private:
  Result<PlannedStatistic> planned(std::size_t place) {
    const BoundStatistic& statistic = study_.statistics[place];
    PlannedStatistic planned;
    for (std::size_t i = 0; i < statistic.measurements.size(); ++i) {
      const std::size_t item = places_[place][i];
      VERNIER_TRY(const auto level, level_of(statistic, i, study_.alpha, planned_groups(statistic)));
      VERNIER_TRY(const Told told, accuracy_with(measured_at(statistic, i), laws_[item], level));
      planned.noise.push_back({laws_[item], told.steps, told.accuracy, share_of(item)});
      if (!items_[item].keys || statistic.keys.are_public) continue;
      VERNIER_TRY(planned.keys, keys_at(item));
    }
    return planned;
  }

  // Of equal items with equal laws once: a forecast takes some thousand tails.
  Result<KeyPlan> keys_at(std::size_t item) {
    const std::size_t first = first_equal_[item];
    const bool is_same = laws_[first].index() == laws_[item].index() && scale_of(laws_[first]) == scale_of(laws_[item]);
    const std::size_t at = is_same ? first : item;
    const auto found = known_keys_.find(at);
    if (found != known_keys_.end()) return found->second;
    VERNIER_TRY(const KeyPlan keys, keys_of(items_[at], laws_[at], study_.neighbours));
    known_keys_.emplace(at, keys);
    return keys;
  }

  // Of the plan's cost: the first that has the item has all of it.
  double share_of(std::size_t item) {
    if (item != next_item_) return 0;
    ++next_item_;
    return shares_[item];
  }

  const BoundStudy& study_;
  const std::vector<NoiseItem>& items_;
  const std::vector<Law>& laws_;
  std::vector<double> shares_;
  std::vector<std::vector<std::size_t>> places_ = items_by_place(study_);
  std::vector<std::size_t> first_equal_ = first_equal(items_);
  std::map<std::size_t, KeyPlan> known_keys_;
  std::size_t next_item_ = 0;
};

Result<std::vector<accounting::Event>> events_of(const std::vector<NoiseItem>& items, const std::vector<Law>& laws,
                                                 privacy::Neighbours neighbours) {
  const std::vector<std::size_t> first = first_equal(items);
  std::vector<std::vector<accounting::Event>> all;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const bool is_same =
        first[i] < i && laws[first[i]].index() == laws[i].index() && scale_of(laws[first[i]]) == scale_of(laws[i]);
    if (is_same) {
      all.push_back(std::vector<accounting::Event>(all[first[i]]));
      continue;
    }
    VERNIER_TRY(std::vector<accounting::Event> more, events_of(items[i], laws[i], neighbours));
    all.push_back(std::move(more));
  }
  std::vector<accounting::Event> events;
  for (const std::vector<accounting::Event>& some : all) events.insert(events.end(), some.begin(), some.end());
  return events;
}

// Weights are told as multiples of the first one that something is shared by, and are 1 where nothing is: what would
// change no noise is not stated.
Result<BoundStudy> with_relative_weights(BoundStudy study, const std::vector<NoiseItem>& items) {
  const auto places = items_by_place(study);
  const std::size_t tables = items.size() - study.tables.size();  // where their items begin
  std::set<std::size_t> sharing;                                  // statistics, and behind them tables
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto is_free = [&](std::size_t item) { return items[item].is_free; };
    if (std::any_of(places[i].begin(), places[i].end(), is_free)) sharing.insert(i);
  }
  for (std::size_t i = tables; i < items.size(); ++i) {
    if (items[i].is_free) sharing.insert(study.statistics.size() + i - tables);
  }
  const auto weight_at = [&](std::size_t i) -> numeric::Rational& {
    return i < study.statistics.size() ? study.statistics[i].weight : study.tables[i - study.statistics.size()].weight;
  };
  const numeric::Rational one = numeric::Rational::of(1);
  const numeric::Rational first = sharing.empty() ? one : weight_at(*sharing.begin());
  for (std::size_t i = 0; i < study.statistics.size() + study.tables.size(); ++i) {
    numeric::Rational& weight = weight_at(i);
    const bool is_sharing = sharing.contains(i);
    VERNIER_TRY(weight, is_sharing ? quotient(weight, first) : Result<numeric::Rational>(one));
    if (i >= study.statistics.size()) continue;
    for (Measurement& measurement : study.statistics[i].measurements) {
      if (!measurement.weight) continue;
      VERNIER_TRY(measurement.weight, quotient(*measurement.weight, first));
    }
  }
  return study;
}

}  // namespace

namespace {

Result<PlannedTables> planned_tables(const BoundTables& tables, double scale, double share) {
  VERNIER_TRY(table::Laws laws, contrast_laws(tables, scale));
  std::vector<double> deviations = table::deviations_of(*tables.lattice, laws);
  std::vector<double> accuracies = table::reaches_of(*tables.lattice, laws, tables.level);
  PlannedTables made{
      scale, share, std::move(laws), std::move(deviations), std::move(accuracies), tables.design.multipliers};
  made.gap = gap_of(tables, made);
  return made;
}

// Their items stand behind all others.
Result<std::vector<PlannedTables>> all_planned_tables(const BoundStudy& study, const std::vector<NoiseItem>& items,
                                                      const std::vector<Law>& laws, privacy::Delta delta) {
  std::vector<PlannedTables> all;
  if (study.tables.empty()) return all;
  const std::vector<double> shares = shares_of(items, laws, study.neighbours, delta);
  const std::size_t first = items.size() - study.tables.size();
  for (std::size_t i = 0; i < study.tables.size(); ++i) {
    VERNIER_TRY(auto one, planned_tables(study.tables[i], scale_of(laws[first + i]), shares[first + i]));
    all.push_back(std::move(one));
  }
  return all;
}

}  // namespace

Result<Plan> planned_with(const BoundStudy& study, const std::vector<NoiseItem>& items, const std::vector<Law>& laws,
                          privacy::Delta delta) {
  VERNIER_TRY(auto events, events_of(items, laws, study.neighbours));
  VERNIER_TRY(const auto accountant, accounting::Accountant::of(events));
  VERNIER_TRY(const auto total, accountant.epsilon(delta, accounting::Tightness::usual()));
  VERNIER_TRY(auto statistics, Statistics(study, items, laws, delta).all());
  VERNIER_TRY(BoundStudy told, with_relative_weights(study, items));
  VERNIER_TRY(auto tables, all_planned_tables(study, items, laws, delta));
  return Plan{std::move(told),    std::move(statistics), std::move(events), delta,
              total.bounds.upper, total.method,          std::move(tables)};
}

Result<Plan> planned(const BoundStudy& study, const Pricing& pricing, const Allocation& found) {
  return pricing.laws(found.choice, found.factor).and_then([&](const std::vector<Law>& laws) {
    return planned_with(study, pricing.items(), laws, pricing.delta());
  });
}

}  // namespace vernier::plan
