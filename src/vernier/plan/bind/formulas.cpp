#include <algorithm>

#include "vernier/plan/bind/bind.hpp"

namespace vernier::plan {
namespace {

bool is_ranked(const query::Aggregation& one) {
  return one.aggregate == query::Aggregate::quantile || one.aggregate == query::Aggregate::least ||
         one.aggregate == query::Aggregate::greatest;
}

// Rows are chosen among all groups, of which there must be a list where the ends of quantiles are chosen for it.
Result<void> check_selection(const BoundStatistic& statistic) {
  const query::Query& query = statistic.query;
  if (!query.selects_by_numbers() || statistic.keys.are_public) return {};
  if (std::none_of(query.aggregations.begin(), query.aggregations.end(), is_ranked)) return {};
  const std::string clause = query.having ? "HAVING" : "LIMIT";
  return invalid("rows are chosen by " + clause +
                     " among groups of which nobody knows how many there are, and the ends of quantiles, MIN and MAX "
                     "are chosen for a known number",
                 "let the steward declare the keys, or leave out " + clause);
}

}  // namespace

Result<void> check_formulas(const BoundStatistic& statistic) {
  const query::Query& query = statistic.query;
  if (!query.formulas.empty() && !statistic.inference.differences.empty()) {
    return invalid("differences of groups are published for statistics, and not for formulas of them",
                   "leave out differences, or select the statistics by themselves");
  }
  for (const query::Formula& one : query.formulas) {
    if (!query::is_well_formed(one.steps, query.aggregations.size())) return invalid("a formula is not whole");
  }
  return check_selection(statistic);
}

}  // namespace vernier::plan
