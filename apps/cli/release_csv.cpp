#include "cli/release_csv.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "vernier/core/text.hpp"

namespace vernier::cli {
namespace {

std::string figure(double value, bool is_whole) {
  if (is_whole && std::abs(value) < 0x1p63) return std::to_string(static_cast<std::int64_t>(value));
  return shortest(value);
}

std::string key_cell(const query::Value& value) {
  const auto* const text = std::get_if<std::string>(&value);
  return text != nullptr ? csv_text(*text) : query::text_of(value);
}

// Each name once: what is taken already gets another _ behind it.
void add_heading(std::vector<std::string>& headings, std::string name) {
  while (std::find(headings.begin(), headings.end(), name) != headings.end()) name += '_';
  headings.push_back(std::move(name));
}

std::vector<std::string> headings_of(const query::Query& query) {
  std::vector<std::string> headings;
  for (const query::Output& output : query.outputs) {
    const std::string& name = output.is_key ? query.keys[output.place].name : query.aggregations[output.place].name;
    add_heading(headings, name);
    if (output.is_key) continue;
    add_heading(headings, name + "_low");
    add_heading(headings, name + "_high");
  }
  return headings;
}

std::vector<std::string> cells_of(const query::Query& query, const release::Row& row) {
  std::vector<std::string> cells;
  for (const query::Output& output : query.outputs) {
    if (output.is_key) {
      cells.push_back(key_cell(row.keys[output.place]));
      continue;
    }
    const release::Number& number = row.numbers[output.place];
    for (const double value : {number.value, number.interval.low, number.interval.high}) {
      cells.push_back(figure(value, number.is_whole));
    }
  }
  return cells;
}

std::string line_of(const std::vector<std::string>& cells) {
  std::string line;
  for (const std::string& cell : cells) line += (line.empty() ? "" : ",") + cell;
  return line + "\n";
}

}  // namespace

std::string csv_text(std::string text) {
  constexpr std::string_view formulas = "=+-@\t\r";
  if (!text.empty() && formulas.find(text.front()) != std::string_view::npos) text.insert(0, 1, '\'');
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char character : text) quoted += character == '"' ? "\"\"" : std::string(1, character);
  return quoted + '"';
}

std::string release_csv(const query::Query& query, const release::Table& table) {
  std::vector<std::string> headings = headings_of(query);
  std::transform(headings.begin(), headings.end(), headings.begin(), csv_text);
  std::string csv = line_of(headings);
  for (const release::Row& row : table.rows) csv += line_of(cells_of(query, row));
  return csv;
}

}  // namespace vernier::cli
