#include "vernier/plan/statistic/sum.hpp"

#include <algorithm>

#include "vernier/plan/bind/arguments.hpp"

namespace vernier::plan {

bool Sum::serves(const BoundStatistic& /*statistic*/, const query::Aggregation& aggregation) {
  return aggregation.aggregate == query::Aggregate::sum;
}

Result<Measurement> Sum::bind(BoundStatistic& statistic, const query::Aggregation& aggregation) {
  VERNIER_TRY(const Argument x, summed(*aggregation.argument, statistic.table));
  Places places(statistic);
  const std::size_t place = places.argument(x);
  return Measurement{.kind = MeasurementKind::sum,
                     .figure = Figure::sum,
                     .aggregation = {},
                     .tallies = {places.tally({TallyKind::sum, place})},
                     .granularity = x.granularity,
                     .sensitivity = {},
                     .target = {}};
}

// A study has the argument; a record has what its certificate says.
Steps Sum::steps() const {
  const bool is_bound = !in.statistic.arguments.empty() && !in.one.tallies.empty();
  return is_bound ? in.statistic.arguments[in.statistic.tallies[in.one.tallies.front()].argument].steps : in.summed;
}

Result<Sensitivity> Sum::sensitivity() const {
  return sum_sensitivity(steps(), in.statistic.contribution, in.groups(), in.neighbours());
}

Range Sum::range() const {
  const Int128 rows = in.statistic.table.row_limit;
  const Steps bounds = steps();
  return {rows * std::min<std::int64_t>(bounds.lower, 0), rows * std::max<std::int64_t>(bounds.upper, 0)};
}

Result<Estimator> Sum::estimator(const Law& law, Alpha level, std::optional<std::int64_t> threshold) const {
  if (in.is_of_population()) return invalid("it is published as something of which no population is told");
  return number_estimator(in, law, level, threshold);
}

}  // namespace vernier::plan
