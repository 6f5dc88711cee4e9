#include "vernier/release/prepared.hpp"

#include <algorithm>

#include "vernier/plan/levels.hpp"
#include "vernier/plan/public_count.hpp"
#include "vernier/plan/rank_measure.hpp"
#include "vernier/release/figure_maker.hpp"

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

Result<AnySampler> sampler_of(const BoundStatistic& statistic, std::size_t place, const plan::Law& law, Alpha level) {
  const plan::Measurement& measurement = statistic.measurements[place];
  if (measurement.source) return AnySampler();
  if (const std::optional<plan::AdditiveLaw> noise = plan::additive(law)) {
    if (measurement.kind == plan::MeasurementKind::quantile_tree) {
      return TreeSampler::of(statistic, place, *noise, level).map([](const TreeSampler& tree) {
        return AnySampler(tree);
      });
    }
    return Sampler(*noise, plan::public_integers(measurement.kind));
  }
  const auto& choice = std::get<noise::Exponential>(law);
  const std::size_t histogram = measurement.tallies.front();
  if (plan::has_chosen_value(measurement)) {
    return value_inference(measurement, choice, level).map([&](const auto& inference) {
      return AnySampler(ValueSampler(inference, histogram));
    });
  }
  const auto sampler = [&](const auto& inference) { return AnySampler(EndsSampler(inference, histogram)); };
  if (!statistic.inference.of_population) return rank_inference(measurement, choice, level).map(sampler);
  return population_rank_inference(statistic, measurement, choice, level).map(sampler);
}

Result<void> add_samplers(Prepared& made) {
  const BoundStatistic& statistic = *made.statistic;
  for (std::size_t i = 0; i < statistic.measurements.size(); ++i) {
    VERNIER_TRY(const auto level, plan::level_of(statistic, i, made.alpha, plan::planned_groups(statistic)));
    VERNIER_TRY(auto sampler, sampler_of(statistic, i, made.planned->noise[i].law, level));
    made.samplers.push_back(std::move(sampler));
  }
  return {};
}

Result<Prepared> prepared(const BoundStatistic& statistic, const PlannedStatistic& planned, Alpha alpha,
                          const engine::Session& session) {
  if (planned.noise.size() != statistic.measurements.size())
    return wrong(statistic, "has noise for other measurements");
  if (!has_its_keys(statistic, planned)) return wrong(statistic, "does not say how its private keys are chosen");
  if (plan::rests_on_public_count(statistic) && !plan::has_all_rows_of_public_count(statistic)) {
    return wrong(statistic, "takes a number of rows for public that is not");
  }
  VERNIER_TRY(const std::vector<std::size_t> places, places_of(statistic));
  VERNIER_TRY(session.check_joins(statistic));
  Prepared made{&statistic, plan::render(statistic, session.form(statistic)), {}, {}, places, {}, &planned, alpha};
  if (planned.keys) made.key_rule = accounting::KeyRule(planned.keys->threshold);
  VERNIER_TRY(auto makers, makers_of(statistic, planned, alpha, plan::planned_groups(statistic)));
  made.makers = std::move(makers);
  return add_samplers(made).map([&] { return std::move(made); });
}

}  // namespace

Result<std::vector<NumberMaker>> makers_of(const BoundStatistic& statistic, const PlannedStatistic& planned,
                                           Alpha alpha, std::int64_t groups) {
  std::vector<NumberMaker> makers;
  for (std::size_t i = 0; i < planned.noise.size(); ++i) {
    VERNIER_TRY(const auto maker, plan::level_of(statistic, i, alpha, groups).and_then([&](Alpha level) {
      return figure_maker(statistic, i, planned, level);
    }));
    makers.push_back(maker);
  }
  return makers;
}

Result<std::vector<Prepared>> prepare(const plan::Plan& plan, const engine::Session& session) {
  std::vector<Prepared> all;
  for (std::size_t i = 0; i < plan.study.statistics.size(); ++i) {
    VERNIER_TRY(Prepared one, prepared(plan.study.statistics[i], plan.statistics.at(i), plan.study.alpha, session));
    all.push_back(std::move(one));
  }
  return all;
}

}  // namespace vernier::release
