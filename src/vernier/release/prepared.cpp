#include "vernier/release/prepared.hpp"

#include <algorithm>

namespace vernier::release {
namespace {

using plan::BoundStatistic;
using plan::PlannedStatistic;

Failure wrong(const BoundStatistic& statistic, const std::string& how) {
  return invalid("the plan of the statistic '" + statistic.name + "' " + how + "; make the plan anew");
}

// The measurement of each aggregation.
Result<std::vector<std::size_t>> places_of(const BoundStatistic& statistic) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < statistic.query.aggregations.size(); ++i) {
    const auto found = std::find_if(statistic.measurements.begin(), statistic.measurements.end(),
                                    [&](const plan::Measurement& one) { return one.aggregation == i; });
    if (found == statistic.measurements.end()) return wrong(statistic, "measures nothing for one of its columns");
    places.push_back(static_cast<std::size_t>(found - statistic.measurements.begin()));
  }
  return places;
}

// Private keys have a rule, and the number of units comes first; public ones have none.
bool has_its_keys(const BoundStatistic& statistic, const PlannedStatistic& planned) {
  if (statistic.keys.are_public) return !planned.keys.has_value();
  return planned.keys && !statistic.measurements.empty() &&
         statistic.measurements.front().kind == plan::MeasurementKind::units;
}

Result<AnySampler> sampler_of(const plan::Measurement& measurement, const plan::Law& law, Alpha alpha) {
  if (measurement.source) return AnySampler();
  if (const std::optional<plan::AdditiveLaw> noise = plan::additive(law)) return Sampler(*noise);
  return rank_inference(measurement, std::get<noise::Exponential>(law), alpha).map([&](const auto& inference) {
    return AnySampler(EndsSampler(inference, measurement.tallies.front()));
  });
}

Result<void> add_measurements(Prepared& made, const PlannedStatistic& planned, Alpha alpha) {
  for (std::size_t i = 0; i < planned.noise.size(); ++i) {
    const plan::Measurement& one = made.statistic->measurements[i];
    const bool is_selected = planned.keys && one.source.value_or(i) == 0;
    const auto threshold = is_selected ? std::optional(planned.keys->threshold) : std::nullopt;
    Result<NumberMaker> maker = number_maker(one, planned.noise[i].law, alpha, threshold);
    if (!maker) return Failure(maker.error());
    made.makers.push_back(*std::move(maker));
    Result<AnySampler> sampler = sampler_of(made.statistic->measurements[i], planned.noise[i].law, alpha);
    if (!sampler) return Failure(sampler.error());
    made.samplers.push_back(*std::move(sampler));
  }
  return {};
}

Result<Prepared> prepared(const BoundStatistic& statistic, const PlannedStatistic& planned, Alpha alpha,
                          const engine::Session& session) {
  if (planned.noise.size() != statistic.measurements.size())
    return wrong(statistic, "has noise for other measurements");
  if (!has_its_keys(statistic, planned)) return wrong(statistic, "does not say how its private keys are chosen");
  const Result<std::vector<std::size_t>> places = places_of(statistic);
  if (!places) return Failure(places.error());
  Prepared made{&statistic, plan::render(statistic, session.form(statistic)), {}, {}, *places, {}};
  if (planned.keys) made.key_rule = accounting::KeyRule(planned.keys->threshold);
  return add_measurements(made, planned, alpha).map([&] { return std::move(made); });
}

}  // namespace

Result<std::vector<Prepared>> prepare(const plan::Plan& plan, const engine::Session& session) {
  std::vector<Prepared> all;
  for (std::size_t i = 0; i < plan.study.statistics.size(); ++i) {
    Result<Prepared> one = prepared(plan.study.statistics[i], plan.statistics.at(i), plan.study.alpha, session);
    if (!one) return Failure(one.error());
    all.push_back(*std::move(one));
  }
  return all;
}

}  // namespace vernier::release
