#include "vernier/plan/planned.hpp"

#include "vernier/accounting/key_rule.hpp"
#include "vernier/accuracy/accuracy.hpp"
#include "vernier/plan/allocate_share.hpp"
#include "vernier/plan/forecast.hpp"
#include "vernier/plan/levels.hpp"
#include "vernier/plan/population_accuracy.hpp"
#include "vernier/plan/rank_measure.hpp"
#include "vernier/plan/rank_tree.hpp"
#include "vernier/plan/step_accuracy.hpp"

namespace vernier::plan {
namespace {

// What a rank counts: a row, or a step of its weight.
numeric::Rational rank_of(const BoundStatistic& statistic) {
  return statistic.weighted ? numeric::Rational::of(statistic.weighted->granularity).value() : numeric::Rational::of(1);
}

// The reach of a choice, and the ranks within which it keeps.
Result<PlannedNoise> choice_of(const BoundStatistic& statistic, const Measurement& measurement,
                               const noise::Exponential& law, double share, Alpha alpha) {
  VERNIER_TRY(const auto ranked, rank_statistic(measurement));
  return reach_of(statistic, law, ranked, alpha).map([&](std::int64_t reach) {
    return PlannedNoise{law, reach, (noise::ranks_of(reach, ranked) * rank_of(statistic)).round_up(), share};
  });
}

// The same of a tree of counts.
Result<PlannedNoise> tree_of(const Measurement& measurement, const AdditiveLaw& law, double share, Alpha alpha) {
  return tree_reaches(measurement, law, alpha).and_then([&](const interval::TreeReaches& reaches) {
    return rank_statistic(measurement).map([&](const noise::RankStatistic& ranked) {
      const Law any = std::visit([](const auto& known) { return Law(known); }, law);
      return PlannedNoise{any, reaches.ends, interval::ranks_of(reaches, ranked).round_up(), share};
    });
  });
}

Result<accuracy::Statement> stated_accuracy(const AdditiveLaw& law, Alpha alpha) {
  return std::visit([&](const auto& known) { return accuracy::of(known, alpha, accuracy::Cells::one()); }, law);
}

Result<PlannedNoise> noise_of(const BoundStatistic& statistic, const Measurement& measurement, const Law& law,
                              double share, Alpha alpha) {
  if (const auto* const choice = std::get_if<noise::Exponential>(&law)) {
    return choice_of(statistic, measurement, *choice, share, alpha);
  }
  if (measurement.kind == MeasurementKind::quantile_tree) return tree_of(measurement, *additive(law), share, alpha);
  VERNIER_TRY(const auto stated, stated_accuracy(*additive(law), alpha));
  const auto steps = static_cast<std::int64_t>(stated.accuracy);
  return published_accuracy(statistic, measurement, law, steps, alpha).map([&](double published) {
    return PlannedNoise{law, steps, published, share};
  });
}

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
      VERNIER_TRY(const auto noise, measurement.source ? noise_of(statistic, measurement,
                                                                  planned.noise[*measurement.source].law, 0, level)
                                                       : own_noise(statistic, measurement, level, planned));
      planned.noise.push_back(noise);
    }
    return planned;
  }

  Result<PlannedNoise> own_noise(const BoundStatistic& statistic, const Measurement& measurement, Alpha level,
                                 PlannedStatistic& planned) {
    const std::size_t item = next_item_++;
    if (items_[item].keys) {
      VERNIER_TRY(const auto keys, keys_of(items_[item], laws_[item], study_.neighbours));
      planned.keys = keys;
    }
    return noise_of(statistic, measurement, laws_[item], shares_[item], level);
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
