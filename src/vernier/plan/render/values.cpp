#include "vernier/plan/render/values.hpp"

#include <algorithm>

#include "vernier/plan/render/rows.hpp"

namespace vernier::plan {
namespace {

std::int64_t packing_of(const BoundStatistic& statistic, const Histogram& histogram) {
  return histogram.weight ? statistic.arguments[*histogram.weight].steps.upper + 1 : 0;
}

// The list of structs from the engine's own map, which is NULL where there is no value.
std::string listed(const std::string& map) {
  return "COALESCE(list_transform(map_entries(" + map +
         "), lambda e: {'v': CAST(e.key AS BIGINT), 'n': CAST(e.value AS BIGINT)}), [])";
}

std::string counted(const std::string& values, bool are_lists, bool functions) {
  if (functions) return ValueCounts{are_lists}.name() + "(" + values + ")";
  return listed(are_lists ? "list_aggregate(flatten(list(" + values + ")), 'histogram')" : "histogram(" + values + ")");
}

}  // namespace

std::string point_of(const BoundStatistic& statistic, const Histogram& histogram, const Style& style) {
  const std::string argument = numbered("a", histogram.argument);
  const std::string point =
      histogram.halvings == 0 ? argument : style.in.quotient(argument, whole(std::int64_t{1} << histogram.halvings));
  if (!histogram.weight) return point;
  return "(" + point + " * " + whole(packing_of(statistic, histogram)) + " + " + numbered("a", *histogram.weight) + ")";
}

std::vector<std::int64_t> packing_of(const BoundStatistic& statistic) {
  std::vector<std::int64_t> all;
  for (const Histogram& one : statistic.histograms) all.push_back(packing_of(statistic, one));
  return all;
}

std::vector<std::string> histogram_names(const BoundStatistic& statistic) {
  return numbered_list("h", statistic.histograms.size());
}

std::vector<std::string> histograms_of_rows(const BoundStatistic& statistic, bool functions) {
  std::vector<std::string> columns;
  for (std::size_t i = 0; i < statistic.histograms.size(); ++i) {
    columns.push_back(counted(point_of(statistic, statistic.histograms[i], {}), false, functions) + " AS " +
                      numbered("h", i));
  }
  return columns;
}

// Equal rows of a unit are numbered, so that each row is as likely to count as any other, and not each value. Which of
// them is the first does not show, but engines other than the embedded one want an order.
std::string rows_of_units(const BoundStatistic& statistic, const std::vector<Histogram>& histograms,
                          const Style& style) {
  if (histograms.empty()) return "c";
  std::vector<std::string> columns{"*"};
  for (std::size_t i = 0; i < histograms.size(); ++i) {
    columns.push_back("row_number() OVER (PARTITION BY u, " + joined(group_columns(statistic)) + ", " +
                      point_of(statistic, histograms[i], style) + (style.portable ? " ORDER BY u" : "") + ") AS " +
                      numbered("e", i));
  }
  return "(SELECT " + joined(columns) + " FROM c) AS e";
}

std::vector<std::string> values_of_unit(const BoundStatistic& statistic, const Style& style) {
  const std::int64_t rows = statistic.contribution.max_rows;
  std::vector<std::string> columns;
  for (std::size_t i = 0; i < statistic.histograms.size(); ++i) {
    const std::string point = point_of(statistic, statistic.histograms[i], style);
    const HashedValue value{point, query::Type::integer, numbered("e", i)};
    const std::string by = priority(statistic, style, &value);
    const std::string least = style.functions && rows > 1 ? BottomValues{rows}.name() + "(" + by + ", " + point + ")"
                                                          : "arg_min(" + point + ", " + by +
                                                                (rows > 1 ? ", " + std::to_string(rows) : "") + ")";
    columns.push_back(least + " AS " + numbered("v", i));
  }
  return columns;
}

std::vector<std::string> histograms_of_units(const BoundStatistic& statistic, bool functions) {
  std::vector<std::string> columns;
  for (std::size_t i = 0; i < statistic.histograms.size(); ++i) {
    const bool are_lists = statistic.contribution.max_rows > 1;
    columns.push_back(counted(numbered("v", i), are_lists, functions) + " AS " + numbered("h", i));
  }
  return columns;
}

namespace {

bool is_distinct(const Tally& tally) { return tally.kind == TallyKind::distinct; }

// The priority of a value of the argument.
std::string priority_of(const BoundStatistic& statistic, std::size_t argument, const Style& style) {
  const HashedValue value{numbered("a", argument), statistic.arguments[argument].expression.type()};
  return priority(statistic, style, &value);
}

// The values of an argument that count, each once for a unit and a group. With the value as second key of the order no
// two are equal.
std::string counted_values(const BoundStatistic& statistic, std::size_t place, const Style& style) {
  const std::string argument = numbered("a", place);
  const std::vector<std::string> groups = group_columns(statistic);
  const std::string all = "u, " + joined(groups) + ", " + argument;
  const std::string values = "(SELECT DISTINCT " + all + " FROM c WHERE " + argument + " IS NOT NULL) AS q";
  const std::string placed = "(SELECT " + all + ", row_number() OVER (PARTITION BY u, " + joined(groups) +
                             " ORDER BY " + priority_of(statistic, place, style) + ", " + argument + ") AS p FROM " +
                             values + ")";
  const std::string kept = must_choose(statistic) ? " JOIN b USING (u, " + joined(groups) + ")" : "";
  return placed + " AS w" + kept + " WHERE p <= " + whole(statistic.contribution.max_rows);
}

std::string distinct_table(const BoundStatistic& statistic, std::size_t tally, const Style& style) {
  const std::vector<std::string> groups = group_columns(statistic);
  const std::string argument = numbered("a", statistic.tallies[tally].argument);
  return numbered("q", tally) + " AS (SELECT " + joined(groups) + ", count(DISTINCT w." + argument + ") AS " +
         numbered("t", tally) + " FROM " + counted_values(statistic, statistic.tallies[tally].argument, style) +
         " GROUP BY " + joined(groups) + ")";
}

}  // namespace

bool has_distinct(const BoundStatistic& statistic) {
  return std::any_of(statistic.tallies.begin(), statistic.tallies.end(), is_distinct);
}

bool is_on_the_way(const BoundStatistic& statistic) { return statistic.contribution.max_rows == 1; }

std::vector<std::string> values_on_the_way(const BoundStatistic& statistic, const Style& style) {
  std::vector<std::string> columns;
  for (std::size_t i = 0; i < statistic.arguments.size() && is_on_the_way(statistic); ++i) {
    if (!statistic.arguments[i].is_value) continue;
    const std::string argument = numbered("a", i);
    const std::string by = priority_of(statistic, i, style);
    const std::string least = style.portable
                                  ? style.in.least_by(argument, statistic.arguments[i].expression.type(), by)
                                  : "arg_min(" + argument + ", " + by + ") FILTER (WHERE " + argument + " IS NOT NULL)";
    columns.push_back(least + " AS " + numbered("value", i));
  }
  return columns;
}

std::vector<std::string> distinct_tables(const BoundStatistic& statistic, const Style& style) {
  std::vector<std::string> tables;
  for (std::size_t i = 0; i < statistic.tallies.size() && !is_on_the_way(statistic); ++i) {
    if (is_distinct(statistic.tallies[i])) tables.push_back(distinct_table(statistic, i, style));
  }
  return tables;
}

std::string with_distinct(const BoundStatistic& statistic, const std::string& sums) {
  const std::vector<std::string> groups = group_columns(statistic);
  std::string columns = "m.*", tables = sums + " AS m";
  for (std::size_t i = 0; i < statistic.tallies.size() && !is_on_the_way(statistic); ++i) {
    if (!is_distinct(statistic.tallies[i])) continue;
    const std::string tally = numbered("t", i);
    columns += ", COALESCE(" + numbered("q", i) + "." + tally + ", 0) AS " + tally;
    std::string same;  // by USING, Trino's m.* would lack the columns of the group
    for (const std::string& group : groups) {
      same += (same.empty() ? " ON m." : " AND m.") + group + " = " + numbered("q", i) + "." + group;
    }
    tables += " LEFT JOIN " + numbered("q", i) + same;
  }
  return tables == sums + " AS m" ? sums : "(SELECT " + columns + " FROM " + tables + ")";
}

}  // namespace vernier::plan
