#include "vernier/plan/statistic/count.hpp"

#include "vernier/plan/bind/arguments.hpp"
#include "vernier/plan/statistic/weights.hpp"

namespace vernier::plan {
namespace {

using query::Aggregate;

Result<Tally> weighted_tally(BoundStatistic& statistic, const std::optional<query::Expression>& x) {
  Argument one = weight_where(statistic, x, 1);
  one.steps.upper = 1;
  VERNIER_TRY(check_weighted(statistic, one));
  return Tally{TallyKind::sum, Places(statistic).argument(weight_where(statistic, x, 1))};
}

Result<Tally> tally_of(BoundStatistic& statistic, const query::Aggregation& aggregation) {
  const bool is_of_rows = aggregation.aggregate == Aggregate::count_rows;
  if (statistic.weighted) {
    return weighted_tally(statistic, is_of_rows ? std::optional<query::Expression>() : aggregation.argument);
  }
  if (is_of_rows) return Tally{TallyKind::rows};
  return Tally{TallyKind::values, Places(statistic).argument(presence_of(*aggregation.argument))};
}

}  // namespace

Result<Measurement> Count::bind(BoundStatistic& statistic, const query::Aggregation& aggregation) {
  VERNIER_TRY(const Tally tally, tally_of(statistic, aggregation));
  return Measurement{.kind = Count::kind,
                     .aggregation = {},
                     .tallies = {Places(statistic).tally(tally)},
                     .sensitivity = {},
                     .target = {}};
}

bool Count::is_fine() const { return !in.is_weighted() || weights_fit(in.statistic, 1); }

Result<Sensitivity> Count::sensitivity() const {
  if (in.is_weighted()) return weighted_count_sensitivity(in.statistic);
  return count_sensitivity(in.statistic.contribution, in.groups(), in.neighbours());
}

Range Count::range() const { return {0, Int128{in.statistic.table.row_limit} * heaviest_of(in.statistic)}; }

// COUNT(*) has rows, COUNT(x) the values of x; which of them was asked, only the statement says.
Brought Count::brought() const {
  if (in.is_weighted()) return {{weighted_presence(in.statistic, 1)}, {{TallyKind::sum, 0}}};
  const std::vector<Tally>& all = in.statistic.tallies;
  const std::vector<std::size_t>& own = in.one.tallies;
  const bool is_of_rows = !own.empty() && own[0] < all.size() && all[own[0]].kind == TallyKind::rows;
  if (is_of_rows) return {{}, {{TallyKind::rows}}};
  return {{presence_grid()}, {{TallyKind::values, 0}}};
}

Result<Estimator> Count::estimator(const Law& law, Alpha level, std::optional<std::int64_t> threshold) const {
  return in.is_of_population() ? population_count_estimator(in, law, level)
                               : number_estimator(in, law, level, threshold);
}

}  // namespace vernier::plan
