#include "vernier/plan/statistic/distinct.hpp"

#include "vernier/plan/bind/arguments.hpp"

namespace vernier::plan {

Result<Measurement> Distinct::bind(BoundStatistic& statistic, const query::Aggregation& aggregation) {
  Places places(statistic);
  const std::size_t place = places.argument(value_of(*aggregation.argument));
  return Measurement{.kind = Distinct::kind,
                     .aggregation = {},
                     .tallies = {places.tally({TallyKind::distinct, place})},
                     .sensitivity = {},
                     .target = {}};
}

Result<Sensitivity> Distinct::sensitivity() const {
  return count_sensitivity(in.statistic.contribution, in.groups(), in.neighbours());
}

Result<Estimator> Distinct::estimator(const Law& law, Alpha level, std::optional<std::int64_t> threshold) const {
  if (in.is_of_population()) return invalid("it is published in a form that says nothing of a population");
  return number_estimator(in, law, level, threshold);
}

}  // namespace vernier::plan
