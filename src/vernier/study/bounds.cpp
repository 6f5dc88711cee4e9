#include "vernier/study/bounds.hpp"

#include <fmt/format.h>

#include "vernier/core/names.hpp"
#include "vernier/core/utf8.hpp"
#include "vernier/query/duckdb/sql.hpp"
#include "vernier/query/expression/span.hpp"

namespace vernier::study {
namespace {

// The table whose name, with a point behind it, begins the word; names may have points in them.
const query::Table* table_in(const query::Catalog& catalog, const std::string& word) {
  for (const query::Table& table : catalog.tables) {
    if (fold_case(word).starts_with(fold_case(table.name) + ".")) return &table;
  }
  return nullptr;
}

Failure unknown_table(const query::Catalog& catalog, const std::string& word) {
  std::vector<std::string> names;
  for (const query::Table& table : catalog.tables) names.push_back(table.name);
  const std::size_t point = word.find('.');
  if (point == std::string::npos) {
    return invalid(fmt::format("the column must be written with its table, such as {}.income, but it is '{}'",
                               names.empty() ? "people" : names.front(), seen_text(word)));
  }
  const std::string name = word.substr(0, point);
  return invalid(fmt::format("the catalog has no table '{}'{}", seen_text(name), suggestion(name, names)));
}

Failure unknown_column(const query::Table& table, const std::string& name) {
  std::vector<std::string> names;
  for (const query::Column& column : table.columns) names.push_back(column.name);
  return invalid(
      fmt::format("the table '{}' has no column '{}'{}", table.name, seen_text(name), suggestion(name, names)));
}

// The widest bounds. A real beyond them is NULL in a column without bounds, and will be moved into those that are
// found.
std::optional<query::Range> widest_bounds(query::Type type) {
  if (type == query::Type::real) return query::Range{-query::greatest_real, query::greatest_real};
  if (type == query::Type::date) return query::Range{query::first_day, query::last_day};
  return std::nullopt;
}

// Values as they stand in the data, and not moved into the bounds that are there.
query::Catalog without_bounds(query::Catalog catalog, const query::Table& table, const query::Column& column) {
  for (query::Table& one : catalog.tables) {
    if (one.name != table.name) continue;
    for (query::Column& other : one.columns) {
      if (other.name == column.name) other.range = widest_bounds(column.type);
    }
  }
  return catalog;
}

}  // namespace

Result<BoundsQuestion> BoundsQuestion::of(const Catalog& catalog, const std::string& column) {
  const query::Table* const table = table_in(catalog.content(), column);
  if (table == nullptr) return unknown_table(catalog.content(), column);
  const std::string name = column.substr(table->name.size() + 1);
  const query::Column* const found = table->column(name);
  if (found == nullptr) return unknown_column(*table, name);
  VERNIER_TRY(plan::BoundsGrid grid, plan::bounds_grid(*found));
  return BoundsQuestion{*table, *found, std::move(grid)};
}

Result<Study> BoundsQuestion::study(const Catalog& catalog, Question terms) const {
  terms.sql = plan::bounds_statement(table, column, grid);
  VERNIER_TRY(terms.query, query::read_query(terms.sql, without_bounds(catalog.content(), table, column)));
  terms.name = "bounds";
  return Study::of("bounds of " + table.name + "." + column.name, terms, catalog);
}

std::vector<std::int64_t> noisy_counts(const release::Release& release) {
  std::vector<std::int64_t> counts;
  for (const release::Row& row : release.tables.front().rows) counts.push_back(row.noisy.front());
  return counts;
}

BoundsAnswer bounds_answer(const BoundsQuestion& question, const Study& study, const release::Release& release) {
  const std::vector<std::int64_t> counts = noisy_counts(release);
  const plan::AdditiveLaw law = plan::additive(release.plan.statistics.front().noise.front().law).value();  // a count's
  const interval::RangeMargins margins = std::visit(
      [&](const auto& one) { return interval::range_margins(counts.size(), one, release.plan.study.alpha); }, law);
  const std::optional<interval::BinRange> bins = interval::occupied_bins(counts, margins);
  if (!bins) {
    return {question, study, release, {}, interval::statement_about({0, counts.size() - 1}, counts, margins)};
  }
  const plan::BucketRange kept = plan::rounded_outward(question.grid, {bins->first, bins->last});
  return {question, study, release, kept, interval::statement_about({kept.first, kept.last}, counts, margins)};
}

}  // namespace vernier::study
