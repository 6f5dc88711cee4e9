#include "report/clamped_text.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "text/grouped_text.hpp"

namespace vernier::report {
namespace {

std::string_view in_words(plan::Figure figure) {
  using enum plan::Figure;
  switch (figure) {
    case sum:
      return "sum";
    case mean:
      return "mean";
    case variance_sample:
    case variance_population:
      return "variance";
    case deviation_sample:
    case deviation_population:
      return "standard deviation";
    case quantile:
      return "quantile";
    case least:
      return "minimum";
    case greatest:
      return "maximum";
    case count:
      break;
  }
  return "count";
}

std::size_t place_of(const query::Query& query, const std::string& name) {
  const auto found = std::find_if(query.aggregations.begin(), query.aggregations.end(),
                                  [&](const query::Aggregation& one) { return one.name == name; });
  return static_cast<std::size_t>(found - query.aggregations.begin());
}

// Of one row its interval; of many the column that has them.
std::string moved_rows(const query::Query& query, const release::Table& table, const std::string& name) {
  if (table.rows.size() != 1) return fmt::format("{} says how many rows of each group were moved to a bound", name);
  const auto& found = table.rows.front().numbers[place_of(query, name)].interval;
  return fmt::format("between {} and {} rows were moved to a bound", text::grouped(found.low, 0),
                     text::grouped(found.high, 0));
}

}  // namespace

std::vector<std::string> clamped_sentences(const plan::BoundStatistic& statistic, const release::Table& table) {
  std::vector<std::string> sentences;
  for (const plan::Measurement& one : statistic.measurements) {
    if (!one.clamped_count || !one.aggregation || table.rows.empty()) continue;
    sentences.push_back(fmt::format("{} covers the bounded {}: {}", statistic.query.aggregations[*one.aggregation].name,
                                    in_words(one.figure), moved_rows(statistic.query, table, *one.clamped_count)));
  }
  return sentences;
}

}  // namespace vernier::report
