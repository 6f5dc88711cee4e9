#include "vernier/plan/render_histograms.hpp"

#include "vernier/plan/render_rows.hpp"

namespace vernier::plan {
namespace {

std::int64_t packing_of(const BoundStatistic& statistic, const Histogram& histogram) {
  return histogram.weight ? statistic.arguments[*histogram.weight].steps.upper + 1 : 0;
}

// The run of values in which the argument lies: an integer from 0 on; of weighted rows with the weight.
std::string point_of(const BoundStatistic& statistic, const Histogram& histogram) {
  const std::string argument = numbered("a", histogram.argument);
  const std::string point =
      histogram.halvings == 0 ? argument : "(" + argument + " >> " + std::to_string(histogram.halvings) + ")";
  if (!histogram.weight) return point;
  return "(" + point + " * " + whole(packing_of(statistic, histogram)) + " + " + numbered("a", *histogram.weight) + ")";
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
    columns.push_back(counted(point_of(statistic, statistic.histograms[i]), false, functions) + " AS " +
                      numbered("h", i));
  }
  return columns;
}

// Hashed twice, as the priority of a group is.
std::vector<std::string> values_of_unit(const BoundStatistic& statistic, const std::vector<std::string>& group,
                                        bool functions) {
  const std::int64_t rows = statistic.contribution.max_rows;
  std::vector<std::string> columns;
  for (std::size_t i = 0; i < statistic.histograms.size(); ++i) {
    const std::string point = point_of(statistic, statistic.histograms[i]);
    const std::string priority =
        "hash(hash(u, " + joined(group) + ", " + point + ", CAST($1 AS BIGINT), CAST($2 AS BIGINT)))";
    const std::string least = functions && rows > 1 ? BottomValues{rows}.name() + "(" + priority + ", " + point + ")"
                                                    : "arg_min(" + point + ", " + priority +
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

}  // namespace vernier::plan
