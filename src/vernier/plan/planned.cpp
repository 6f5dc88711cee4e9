#include "vernier/plan/planned.hpp"

#include "vernier/accounting/key_rule.hpp"
#include "vernier/accuracy/accuracy.hpp"
#include "vernier/numeric/rounding.hpp"
#include "vernier/plan/allocate_share.hpp"
#include "vernier/plan/forecast.hpp"

namespace vernier::plan {
namespace {

Result<PlannedNoise> noise_of(const BoundStatistic& statistic, const Measurement& measurement, const Law& law,
                              double share, Alpha alpha) {
  const auto stated =
      std::visit([&](const auto& known) { return accuracy::of(known, alpha, accuracy::Cells::one()); }, law);
  if (!stated) return Failure(stated.error());
  const double published = numeric::multiply_up(stated->accuracy, measurement.granularity);
  const bool is_mean = measurement.kind == MeasurementKind::mean;
  const auto rows = static_cast<double>(statistic.typical_rows);
  return PlannedNoise{law, static_cast<std::int64_t>(stated->accuracy),
                      is_mean ? numeric::divide_up(published, rows) : published, share};
}

Result<KeyPlan> keys_of(const NoiseItem& item, const Law& law, privacy::Neighbours neighbours) {
  const auto threshold = threshold_of(item, law, neighbours);
  if (!threshold) return Failure(threshold.error());
  const std::int64_t touched = accounting::touched_keys(item.keys->groups, neighbours);
  return KeyPlan{*threshold, escape_of_any(law, touched, *threshold).upper, forecast(law, *threshold)};
}

// The noise of a statistic, whose measurements are the items from `first` on.
Result<PlannedStatistic> statistic_of(const BoundStudy& study, const BoundStatistic& statistic,
                                      const std::vector<NoiseItem>& items, const std::vector<Law>& laws,
                                      const std::vector<double>& shares, std::size_t first) {
  PlannedStatistic planned;
  for (std::size_t i = 0; i < statistic.measurements.size(); ++i) {
    const std::size_t at = first + i;
    const auto noise = noise_of(statistic, statistic.measurements[i], laws[at], shares[at], study.alpha);
    if (!noise) return Failure(noise.error());
    planned.noise.push_back(*noise);
    if (!items[at].keys) continue;
    const auto keys = keys_of(items[at], laws[at], study.neighbours);
    if (!keys) return Failure(keys.error());
    planned.keys = *keys;
  }
  return planned;
}

Result<std::vector<PlannedStatistic>> statistics_of(const BoundStudy& study, const std::vector<NoiseItem>& items,
                                                    const std::vector<Law>& laws, privacy::Delta delta) {
  const std::vector<double> shares = shares_of(items, laws, study.neighbours, delta);
  std::vector<PlannedStatistic> all;
  std::size_t first = 0;
  for (const BoundStatistic& statistic : study.statistics) {
    auto one = statistic_of(study, statistic, items, laws, shares, first);
    if (!one) return Failure(one.error());
    all.push_back(*std::move(one));
    first += statistic.measurements.size();
  }
  return all;
}

Result<std::vector<accounting::Event>> events_of(const std::vector<NoiseItem>& items, const std::vector<Law>& laws,
                                                 privacy::Neighbours neighbours) {
  std::vector<accounting::Event> events;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Result<accounting::Event> event = event_of(items[i], laws[i], neighbours);
    if (!event) return Failure(event.error());
    events.push_back(*event);
  }
  return events;
}

}  // namespace

Result<Plan> planned_with(const BoundStudy& study, const std::vector<NoiseItem>& items, const std::vector<Law>& laws,
                          privacy::Delta delta) {
  auto events = events_of(items, laws, study.neighbours);
  if (!events) return Failure(events.error());
  const auto accountant = accounting::Accountant::of(*events);
  if (!accountant) return Failure(accountant.error());
  const auto total = accountant->epsilon(delta, accounting::Tightness::usual());
  if (!total) return Failure(total.error());
  auto statistics = statistics_of(study, items, laws, delta);
  if (!statistics) return Failure(statistics.error());
  return Plan{study, *std::move(statistics), *std::move(events), delta, total->bounds.upper, total->method};
}

Result<Plan> planned(const BoundStudy& study, const Pricing& pricing, const Allocation& found) {
  return pricing.laws(found.choice, found.factor).and_then([&](const std::vector<Law>& laws) {
    return planned_with(study, pricing.items(), laws, pricing.delta());
  });
}

}  // namespace vernier::plan
