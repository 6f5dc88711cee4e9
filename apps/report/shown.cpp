#include "report/shown.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "text/numbers.hpp"
#include "vernier/denoise/denoise.hpp"

namespace vernier::report {
namespace {

using release::Number;

std::string interval_text(const interval::Interval& interval, int decimals) {
  const bool has_low = std::isfinite(interval.low), has_high = std::isfinite(interval.high);
  const std::string low = text::grouped_down(interval.low, decimals), high = text::grouped_up(interval.high, decimals);
  if (!has_low && !has_high) return "anything";
  if (!has_low) return "at most " + high;
  if (!has_high) return "at least " + low;
  return low + " to " + high;
}

// Of rows, or of differences.
template <class Item>
int decimals_for(const std::vector<Item>& items, std::size_t place) {
  double least = std::numeric_limits<double>::infinity();
  for (const Item& item : items) {
    const Number& number = item.numbers[place];
    if (number.is_whole) return 0;
    if (number.informative) least = std::min(least, number.accuracy);
  }
  return text::decimals_for(least, 2);
}

const query::Column* column_of(const query::Key& key, const query::Table& table) {
  if (key.expression.operation() != query::Operation::column) return nullptr;
  return table.column(key.expression.column_name());
}

}  // namespace

int decimals_of(const release::Table& table, std::size_t place) { return decimals_for(table.rows, place); }

int decimals_of_differences(const release::Table& table, std::size_t place) {
  return decimals_for(table.differences, place);
}

std::string shown_denoised(const Number& number, int decimals) {
  return number.denoised ? text::grouped(*number.denoised, decimals) : "";
}

std::string shown_denoised_interval(const Number& number, int decimals) {
  return number.denoised_interval ? interval_text(*number.denoised_interval, decimals) : "";
}

bool is_denoised(const release::Table& table, std::size_t place) {
  return std::any_of(table.denoised.begin(), table.denoised.end(),
                     [&](const release::DenoisedColumn& one) { return one.aggregation == place; });
}

std::string denoising_text(const query::Query& query, const release::Table& table) {
  std::string text;
  for (const release::DenoisedColumn& one : table.denoised) {
    text += fmt::format("{}{} by {}", text.empty() ? "" : "; ", query.aggregations[one.aggregation].name, one.used);
    if (one.used == "raw") {
      text += table.rows.size() < denoise::least_numbers
                  ? fmt::format(", since {} groups are too few to learn from", table.rows.size())
                  : ", since nothing else has less error";
    } else if (one.used == "raw-as-tables-disagree") {
      text += ", since a total and its cells differ by more than their noise explains: the tables count different rows";
    } else {
      text += fmt::format(", whose squared error is estimated at {:.2g} of that of the published number",
                          std::max(one.risk, 0.0));
    }
  }
  return text;
}

std::string ShownNumber::line() const {
  if (value.empty()) return margin;
  return value + " " + margin + (may_be_empty ? ", may be empty" : "");
}

ShownNumber shown(const Number& number, int decimals) {
  const std::string interval = interval_text(number.interval, decimals);
  if (!number.informative) return {"", "no information", interval, number.may_be_empty};
  const text::Margin margin = text::with_margin(number.value, number.accuracy, decimals);
  return {margin.value, "± " + margin.margin, interval, number.may_be_empty};
}

std::string key_text(const query::Key& key, const query::Table& table, const query::Value& value) {
  const query::Column* const column = column_of(key, table);
  if (column == nullptr) return query::text_of(value);
  const auto label = column->labels.find(value);
  return label == column->labels.end() ? query::text_of(value) : query::text_of(value) + " " + label->second;
}

bool has_labels(const query::Key& key, const query::Table& table) {
  const query::Column* const column = column_of(key, table);
  return column != nullptr && !column->labels.empty();
}

}  // namespace vernier::report
