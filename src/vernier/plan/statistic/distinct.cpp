#include "vernier/plan/statistic/distinct.hpp"

#include "vernier/plan/bind/arguments.hpp"

namespace vernier::plan {

bool Distinct::serves(const BoundStatistic& /*statistic*/, const query::Aggregation& aggregation) {
  return aggregation.aggregate == query::Aggregate::count_distinct;
}

Result<Measurement> Distinct::bind(BoundStatistic& statistic, const query::Aggregation& aggregation) {
  Places places(statistic);
  const std::size_t place = places.argument(value_of(*aggregation.argument));
  return Measurement{.kind = MeasurementKind::distinct,
                     .aggregation = {},
                     .tallies = {places.tally({TallyKind::distinct, place})},
                     .sensitivity = {},
                     .target = {}};
}

Result<Sensitivity> Distinct::sensitivity() const {
  return count_sensitivity(in.statistic.contribution, in.groups(), in.neighbours());
}

Result<Estimator> Distinct::estimator(const Law& law, Alpha level, std::optional<std::int64_t> threshold) const {
  if (in.is_of_population()) return invalid("it is published as something of which no population is told");
  return number_estimator(in, law, level, threshold);
}

}  // namespace vernier::plan
