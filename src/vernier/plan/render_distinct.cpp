#include "vernier/plan/render_distinct.hpp"

#include <algorithm>

#include "vernier/plan/render_rows.hpp"

namespace vernier::plan {
namespace {

bool is_distinct(const Tally& tally) { return tally.kind == TallyKind::distinct; }

// Hashed twice, as the priority of groups is.
std::string priority_of(const std::string& value, const std::vector<std::string>& groups) {
  return "hash(hash(u, " + joined(groups) + ", " + value + ", CAST($1 AS BIGINT), CAST($2 AS BIGINT)))";
}

// The values of an argument that count, each once for a unit and a group. With the value as second key of the order no
// two are equal.
std::string counted_values(const BoundStatistic& statistic, const std::string& argument,
                           const std::vector<std::string>& groups) {
  const std::string all = "u, " + joined(groups) + ", " + argument;
  const std::string values = "(SELECT DISTINCT " + all + " FROM c WHERE " + argument + " IS NOT NULL)";
  const std::string placed = "(SELECT " + all + ", row_number() OVER (PARTITION BY u, " + joined(groups) +
                             " ORDER BY " + priority_of(argument, groups) + ", " + argument + ") AS p FROM " + values +
                             ")";
  const std::string kept = must_choose(statistic) ? " JOIN b USING (u, " + joined(groups) + ")" : "";
  return placed + " AS w" + kept + " WHERE p <= " + whole(statistic.contribution.max_rows);
}

std::string distinct_table(const BoundStatistic& statistic, std::size_t tally, const std::vector<std::string>& groups) {
  const std::string argument = numbered("a", statistic.tallies[tally].argument);
  return numbered("q", tally) + " AS (SELECT " + joined(groups) + ", count(DISTINCT w." + argument + ") AS " +
         numbered("t", tally) + " FROM " + counted_values(statistic, argument, groups) + " GROUP BY " + joined(groups) +
         ")";
}

}  // namespace

bool has_distinct(const BoundStatistic& statistic) {
  return std::any_of(statistic.tallies.begin(), statistic.tallies.end(), is_distinct);
}

bool is_on_the_way(const BoundStatistic& statistic) { return statistic.contribution.max_rows == 1; }

std::vector<std::string> values_on_the_way(const BoundStatistic& statistic, const std::vector<std::string>& groups) {
  std::vector<std::string> columns;
  for (std::size_t i = 0; i < statistic.arguments.size() && is_on_the_way(statistic); ++i) {
    if (!statistic.arguments[i].is_value) continue;
    const std::string argument = numbered("a", i);
    columns.push_back("arg_min(" + argument + ", " + priority_of(argument, groups) + ") FILTER (WHERE " + argument +
                      " IS NOT NULL) AS " + numbered("value", i));
  }
  return columns;
}

std::vector<std::string> distinct_tables(const BoundStatistic& statistic, const std::vector<std::string>& groups) {
  std::vector<std::string> tables;
  for (std::size_t i = 0; i < statistic.tallies.size() && !is_on_the_way(statistic); ++i) {
    if (is_distinct(statistic.tallies[i])) tables.push_back(distinct_table(statistic, i, groups));
  }
  return tables;
}

std::string with_distinct(const BoundStatistic& statistic, const std::vector<std::string>& groups,
                          const std::string& sums) {
  std::string columns = "m.*", tables = sums + " AS m";
  for (std::size_t i = 0; i < statistic.tallies.size() && !is_on_the_way(statistic); ++i) {
    if (!is_distinct(statistic.tallies[i])) continue;
    const std::string tally = numbered("t", i);
    columns += ", COALESCE(" + numbered("q", i) + "." + tally + ", 0) AS " + tally;
    tables += " LEFT JOIN " + numbered("q", i) + " USING (" + joined(groups) + ")";
  }
  return tables == sums + " AS m" ? sums : "(SELECT " + columns + " FROM " + tables + ")";
}

}  // namespace vernier::plan
