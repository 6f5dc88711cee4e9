#include "vernier/plan/allocate/planned.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>

#include "vernier/accounting/key_rule.hpp"
#include "vernier/accuracy/accuracy.hpp"
#include "vernier/numeric/search.hpp"
#include "vernier/plan/allocate/accuracy.hpp"
#include "vernier/plan/statistic/statistic.hpp"

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
  return epsilon * std::tanh(epsilon / 2);
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

Bounds chance(const Law& law, std::int64_t threshold, std::int64_t units) {
  const accounting::KeyRule rule(threshold);
  return std::visit([&](const auto& known) { return chance(rule, known, units); }, law);
}

// The least number of units with at least this chance. A group has at least one.
std::int64_t units_for(const Law& law, std::int64_t threshold, double wanted) {
  const auto reaches = [&](std::int64_t units) { return chance(law, threshold, units).lower >= wanted; };
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
  for (const std::int64_t units : sizes) found.push_back({units, chance(law, threshold, units)});
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
    for (const BoundStatistic& statistic : study_.statistics) {
      VERNIER_TRY(auto one, next(statistic));
      all.push_back(std::move(one));
    }
    return all;
  }

 private:
  Result<PlannedStatistic> next(const BoundStatistic& statistic) {
    PlannedStatistic planned;
    for (std::size_t i = 0; i < statistic.measurements.size(); ++i) {
      const Measurement& measurement = statistic.measurements[i];
      VERNIER_TRY(const auto level, level_of(statistic, i, study_.alpha, planned_groups(statistic)));
      VERNIER_TRY(const LawShare own, measurement.source ? Result<LawShare>({planned.noise[*measurement.source].law, 0})
                                                         : next_law(planned));
      VERNIER_TRY(const Told told, accuracy_with(measured_at(statistic, i), own.law, level));
      planned.noise.push_back({own.law, told.steps, told.accuracy, own.share});
    }
    return planned;
  }

  struct LawShare {
    Law law;
    double share;  // of the plan's cost
  };

  // Of the next item, and the rule of the keys where it chooses them.
  Result<LawShare> next_law(PlannedStatistic& planned) {
    const std::size_t item = next_item_++;
    if (items_[item].keys) {
      VERNIER_TRY(const auto keys, keys_of(items_[item], laws_[item], study_.neighbours));
      planned.keys = keys;
    }
    return LawShare{laws_[item], shares_[item]};
  }

  const BoundStudy& study_;
  const std::vector<NoiseItem>& items_;
  const std::vector<Law>& laws_;
  std::vector<double> shares_;
  std::size_t next_item_ = 0;
};

Result<std::vector<accounting::Event>> events_of(const std::vector<NoiseItem>& items, const std::vector<Law>& laws,
                                                 privacy::Neighbours neighbours) {
  std::vector<accounting::Event> events;
  for (std::size_t i = 0; i < items.size(); ++i) {
    VERNIER_TRY(const accounting::Event event, event_of(items[i], laws[i], neighbours));
    events.push_back(event);
  }
  return events;
}

}  // namespace

Result<Plan> planned_with(const BoundStudy& study, const std::vector<NoiseItem>& items, const std::vector<Law>& laws,
                          privacy::Delta delta) {
  VERNIER_TRY(auto events, events_of(items, laws, study.neighbours));
  VERNIER_TRY(const auto accountant, accounting::Accountant::of(events));
  VERNIER_TRY(const auto total, accountant.epsilon(delta, accounting::Tightness::usual()));
  VERNIER_TRY(auto statistics, Statistics(study, items, laws, delta).all());
  return Plan{study, std::move(statistics), std::move(events), delta, total.bounds.upper, total.method};
}

Result<Plan> planned(const BoundStudy& study, const Pricing& pricing, const Allocation& found) {
  return pricing.laws(found.choice, found.factor).and_then([&](const std::vector<Law>& laws) {
    return planned_with(study, pricing.items(), laws, pricing.delta());
  });
}

}  // namespace vernier::plan
