#include "vernier/plan/statistic/sum.hpp"

#include <algorithm>

#include "vernier/plan/bind/arguments.hpp"

namespace vernier::plan {

Result<Measurement> Sum::bind(BoundStatistic& statistic, const query::Aggregation& aggregation) {
  VERNIER_TRY(const Argument whole, summed(*aggregation.argument, statistic.table));
  const Argument x = refined(whole, statistic, CountsFrom::zero);
  Places places(statistic);
  const std::size_t place = places.argument(x);
  return Measurement{.kind = Sum::kind,
                     .figure = Figure::sum,
                     .aggregation = {},
                     .tallies = {places.tally({TallyKind::sum, place})},
                     .granularity = x.granularity,
                     .is_rounded = is_rounded(x.expression, statistic.table),
                     .sensitivity = {},
                     .target = {}};
}

// The argument of the tally that it is; none where it names no such one, which a record may do.
const Argument* Sum::argument() const {
  if (in.one.tallies.size() != 1 || in.one.tallies.front() >= in.statistic.tallies.size()) return nullptr;
  const Tally& tally = in.statistic.tallies[in.one.tallies.front()];
  if (tally.kind != TallyKind::sum || tally.argument >= in.statistic.arguments.size()) return nullptr;
  return &in.statistic.arguments[tally.argument];
}

Steps Sum::steps() const { return argument() != nullptr ? argument()->steps : Steps{0, 0}; }

Result<Sensitivity> Sum::sensitivity() const {
  return sum_sensitivity(steps(), in.statistic.contribution, in.groups(), in.neighbours());
}

Range Sum::range() const {
  const Int128 rows = in.statistic.table.row_limit;
  const Steps bounds = steps();
  return {rows * std::min<std::int64_t>(bounds.lower, 0), rows * std::max<std::int64_t>(bounds.upper, 0)};
}

Result<Estimator> Sum::estimator(const Law& law, Alpha level, std::optional<std::int64_t> threshold) const {
  if (in.is_of_population()) return invalid("it is published in a form that says nothing of a population");
  return number_estimator(in, law, level, threshold);
}

}  // namespace vernier::plan
