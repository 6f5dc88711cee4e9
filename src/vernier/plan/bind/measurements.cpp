#include <algorithm>

#include "vernier/plan/bind/bind.hpp"
#include "vernier/plan/statistic/statistic.hpp"

namespace vernier::plan {
namespace {

using query::Aggregate;
using query::Aggregation;

bool counts_units(const BoundStatistic& statistic, const Aggregation& x) {
  return x.aggregate == Aggregate::count_units ||
         (x.aggregate == Aggregate::count_rows && statistic.contribution.max_rows == 1);
}

// The aggregation that is the number of units, by which private keys are chosen: COUNT(DISTINCT unit) itself, and
// COUNT(*) where one row of a unit counts; the first of them.
std::optional<std::size_t> units_place(const BoundStatistic& statistic) {
  const auto& all = statistic.query.aggregations;
  const auto first =
      std::find_if(all.begin(), all.end(), [&](const Aggregation& x) { return counts_units(statistic, x); });
  if (first == all.end()) return std::nullopt;
  return static_cast<std::size_t>(first - all.begin());
}

}  // namespace

Result<void> bind_measurements(BoundStatistic& statistic) {
  std::optional<std::size_t> served;
  if (!statistic.keys.are_public) {
    served = units_place(statistic);
    VERNIER_TRY(measure_units(statistic, served));
  }
  for (std::size_t i = 0; i < statistic.query.aggregations.size(); ++i) {
    if (i == served) continue;
    if (const Result<void> added = measure(statistic, i); !added) {
      return invalid(about("the column '" + statistic.query.aggregations[i].name + "'", added.error()));
    }
  }
  return share_trees(statistic);
}

}  // namespace vernier::plan
