#include "vernier/study/documents.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "vernier/core/text.hpp"
#include "vernier/core/utf8.hpp"
#include "vernier/release/derived/shown.hpp"
#include "vernier/release/record/duckdb_results.hpp"

namespace vernier::study {
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

void add_headings(std::vector<std::string>& headings, const std::string& name) {
  add_heading(headings, name);
  add_heading(headings, name + "_low");
  add_heading(headings, name + "_high");
}

// Whether a column was denoised, and whether that gave its numbers intervals.
bool is_denoised(const release::Table& table, std::size_t column) {
  return std::any_of(table.denoised.begin(), table.denoised.end(),
                     [&](const release::DenoisedColumn& one) { return one.aggregation == column; });
}
bool has_intervals(const release::Table& table, std::size_t column) {
  return !table.rows.empty() && table.rows.front().numbers[column].denoised_interval.has_value();
}

std::vector<std::string> headings_of(const query::Query& query, const release::Table& table) {
  std::vector<std::string> headings;
  for (const query::Output& output : query.outputs) {
    if (output.is_key) {
      add_heading(headings, query.keys[output.place].name);
      continue;
    }
    const std::string& name = query.aggregations[output.place].name;
    add_headings(headings, name);
    if (has_intervals(table, output.place)) {
      add_headings(headings, name + "_denoised");
    } else if (is_denoised(table, output.place)) {
      add_heading(headings, name + "_denoised");
    }
  }
  return headings;
}

void add_number(std::vector<std::string>& cells, const release::Number& number) {
  for (const double value : {number.value, number.interval.low, number.interval.high}) {
    cells.push_back(figure(value, number.is_whole));
  }
  if (number.denoised) cells.push_back(figure(*number.denoised, number.is_whole && !number.denoised_interval));
  if (!number.denoised_interval) return;
  for (const double end : {number.denoised_interval->low, number.denoised_interval->high}) {
    cells.push_back(shortest(end));
  }
}

std::vector<std::string> cells_of(const query::Query& query, const release::Row& row) {
  std::vector<std::string> cells;
  for (const query::Output& output : query.outputs) {
    if (output.is_key) {
      cells.push_back(key_cell(row.keys[output.place]));
      continue;
    }
    add_number(cells, row.numbers[output.place]);
  }
  return cells;
}

std::string line_of(const std::vector<std::string>& cells) {
  std::string line;
  for (const std::string& cell : cells) line += (line.empty() ? "" : ",") + cell;
  return line + "\n";
}

std::vector<std::string> as_texts(std::vector<std::string> names) {
  std::transform(names.begin(), names.end(), names.begin(), csv_text);
  return names;
}

constexpr std::size_t longest_slug = 60;

bool is_plain(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

std::string slug_of(std::string_view name) {
  std::string slug;
  for (const char character : name) {
    const char small = character >= 'A' && character <= 'Z' ? static_cast<char>(character - 'A' + 'a') : character;
    if (is_plain(small)) {
      slug += small;
    } else if (!slug.empty() && slug.back() != '-') {
      slug += '-';
    }
    if (slug.size() == longest_slug) break;
  }
  if (slug.ends_with('-')) slug.pop_back();
  return slug.empty() ? "statistic" : slug;
}

}  // namespace

std::string csv_text(const std::string& content) {
  std::string text = seen_lines(content);
  constexpr std::string_view formulas = "=+-@\t\r";
  if (!text.empty() && formulas.find(text.front()) != std::string_view::npos) text.insert(0, 1, '\'');
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char character : text) quoted += character == '"' ? "\"\"" : std::string(1, character);
  return quoted + '"';
}

std::string release_csv(const query::Query& query, const release::Table& table) {
  std::string csv = line_of(as_texts(headings_of(query, table)));
  for (const release::Row& row : table.rows) csv += line_of(cells_of(query, row));
  return csv;
}

std::string coefficients_csv(const query::Query& query, const release::Table& table) {
  std::vector<std::string> headings;
  for (const query::Key& key : query.keys) add_heading(headings, key.name);
  for (const char* const name : {"coefficient", "value", "low", "high", "accuracy", "informative"}) {
    add_heading(headings, name);
  }
  std::string csv = line_of(as_texts(std::move(headings)));
  for (const release::Row& row : table.rows) {
    for (std::size_t i = 0; i < query.aggregations.size(); ++i) {
      std::vector<std::string> cells;
      std::transform(row.keys.begin(), row.keys.end(), std::back_inserter(cells), key_cell);
      cells.push_back(csv_text(query.aggregations[i].name));
      add_number(cells, row.numbers[i]);
      cells.push_back(shortest(row.numbers[i].accuracy));
      cells.emplace_back(row.numbers[i].informative ? "true" : "false");
      csv += line_of(cells);
    }
  }
  return csv;
}

std::string differences_csv(const query::Query& query, const release::Table& table) {
  std::vector<std::string> headings = {"first", "second"};
  for (const query::Aggregation& aggregation : query.aggregations) add_headings(headings, aggregation.name);
  std::string csv = line_of(as_texts(std::move(headings)));
  for (const release::GroupDifference& one : table.differences) {
    std::vector<std::string> cells = as_texts({one.groups[0], one.groups[1]});
    for (const release::Number& number : one.numbers) add_number(cells, number);
    csv += line_of(cells);
  }
  return csv;
}

std::vector<std::string> slugs_of(const std::vector<std::string>& names) {
  std::vector<std::string> slugs;
  for (const std::string& name : names) {
    const std::string base = slug_of(name);
    std::string slug = base;
    for (int i = 2; std::find(slugs.begin(), slugs.end(), slug) != slugs.end(); ++i)
      slug = base + "-" + std::to_string(i);
    slugs.push_back(std::move(slug));
  }
  return slugs;
}

ledger::Documents csv_documents(const release::Release& release) {
  const auto& statistics = release.plan.study.statistics;
  std::vector<std::string> names;
  for (const plan::BoundStatistic& one : statistics) names.push_back(one.name);
  for (const plan::BoundStatistic& one : statistics) {
    if (!one.inference.differences.empty()) names.push_back(one.name + " differences");
  }
  const std::vector<std::string> slugs = slugs_of(names);
  std::size_t of_differences = statistics.size();
  ledger::Documents documents;
  for (std::size_t i = 0; i < statistics.size(); ++i) {
    const release::Shown shown(statistics[i], release.tables[i]);
    documents.push_back({slugs[i] + ".csv", statistics[i].by_coefficient
                                                ? coefficients_csv(shown.statistic().query, shown.table())
                                                : release_csv(shown.statistic().query, shown.table())});
    if (statistics[i].inference.differences.empty()) continue;
    documents.push_back({slugs[of_differences++] + ".csv", differences_csv(statistics[i].query, release.tables[i])});
  }
  return documents;
}

Result<ledger::Document> parquet_document(const Published& published) {
  return release::results_parquet(published.release, asked_of(published.study)).map([](std::string content) {
    return ledger::Document{"results.parquet", std::move(content)};
  });
}

}  // namespace vernier::study
