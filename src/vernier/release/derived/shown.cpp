#include "vernier/release/derived/shown.hpp"

#include <algorithm>

namespace vernier::release {
namespace {

using query::Output;

bool is_plain(const query::Query& query, const Table& table) {
  if (table.omitted > 0 || !query.formulas.empty()) return false;
  for (std::size_t i = 0; i < query.aggregations.size(); ++i) {
    if (!query.is_shown(i)) return false;
  }
  return true;
}

std::vector<Output> numbers_of(const query::Query& query) {
  std::vector<Output> numbers;
  std::copy_if(query.outputs.begin(), query.outputs.end(), std::back_inserter(numbers),
               [](const Output& output) { return !output.is_key; });
  return numbers;
}

// Where a statistic stands among the columns that are shown.
std::optional<std::size_t> place_in(const std::vector<Output>& numbers, std::size_t aggregation) {
  const auto found = std::find(numbers.begin(), numbers.end(), Output{false, aggregation});
  if (found == numbers.end()) return std::nullopt;
  return static_cast<std::size_t>(found - numbers.begin());
}

query::Query as_aggregations(const query::Query& query, const std::vector<Output>& numbers) {
  query::Query made = query;
  made.aggregations.clear();
  for (const Output& output : numbers) {
    made.aggregations.push_back(output.is_formula ? query::Aggregation{query::Aggregate::count_rows, std::nullopt,
                                                                       query.formulas[output.place].name}
                                                  : query.aggregations[output.place]);
  }
  std::size_t next = 0;
  for (Output& output : made.outputs) {
    if (!output.is_key) output = {false, next++};
  }
  return made;
}

std::vector<Number> chosen(const std::vector<Number>& all, const std::vector<Output>& numbers, const Row* row) {
  std::vector<Number> made;
  for (const Output& output : numbers) {
    if (row != nullptr) {
      made.push_back(row->number(output));
    } else if (!output.is_formula) {
      made.push_back(all[output.place]);
    }
  }
  return made;
}

Table as_shown(const Table& table, const std::vector<Output>& numbers) {
  Table made;
  for (std::size_t i = 0; i < table.shown(); ++i) {
    const Row& row = table.rows[i];
    made.rows.push_back({row.keys, chosen(row.numbers, numbers, &row), row.noisy});
  }
  for (DenoisedColumn one : table.denoised) {
    const std::optional<std::size_t> place = place_in(numbers, one.aggregation);
    if (!place) continue;
    one.aggregation = *place;
    made.denoised.push_back(one);
  }
  for (const GroupDifference& one : table.differences) {
    made.differences.push_back({one.groups, chosen(one.numbers, numbers, nullptr)});
  }
  return made;
}

}  // namespace

Shown::Shown(const plan::BoundStatistic& statistic, const Table& table) : statistic_(&statistic), table_(&table) {
  if (is_plain(statistic.query, table)) return;
  const std::vector<Output> numbers = numbers_of(statistic.query);
  own_ = Own{statistic, as_shown(table, numbers)};
  own_->statistic.query = as_aggregations(statistic.query, numbers);
  for (plan::Measurement& one : own_->statistic.measurements) {
    if (one.aggregation) one.aggregation = place_in(numbers, *one.aggregation);
  }
}

}  // namespace vernier::release
