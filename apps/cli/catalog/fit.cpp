#include "vernier/engine/csv/fit.hpp"

#include <fmt/format.h>

#include "cli/catalog/catalog.hpp"
#include "cli/output.hpp"
#include "text/numbers.hpp"
#include "vernier/query/source_files.hpp"

// How the data fits the catalog, for the steward.
namespace vernier::cli {
namespace {

using engine::ColumnFit;

constexpr const char* for_stewards = "exact counts of the data, for the steward alone: do not pass them on";

std::string cells(std::int64_t count) { return count == 0 ? "-" : text::grouped(count); }

// The lines by which cells would count that do not now.
std::string advice_on_unread(const ColumnFit& column) {
  if (!column.advice.empty()) return fmt::format("add {} to the column", column.advice);
  if (column.is_text) return "save the file in UTF-8, which this is not";
  return "declare how they are written, or those that mean missing; what no declaration covers, such as (5) or 12 %, "
         "is repaired in the file";
}

void write_advice(Output& output, const ColumnFit& column) {
  const std::string name = one_line(column.name);
  if (column.unread > 0) {
    output.write(fmt::format("{}: {} {} be read and {} as NULL; {}\n", name, text::grouped(column.unread),
                             column.unread == 1 ? "cell cannot" : "cells cannot",
                             column.unread == 1 ? "counts" : "count", advice_on_unread(column)));
  }
  if (column.outside > 0) {
    output.write(fmt::format("{}: {} values lie outside the bounds and are moved to the nearer one\n", name,
                             text::grouped(column.outside)));
  }
  if (column.no_key > 0) {
    output.write(fmt::format(
        "{}: {} values are none of the keys, {}\n", name, text::grouped(column.no_key),
        column.has_rest ? "so that their rows count under the rest"
                        : "so that their rows are in no group; add rest = ... to count them under a key of its own"));
  }
}

void write_table_fit(Output& output, const query::Table& table, const engine::TableFit& fit) {
  output.write(fmt::format("\ntable {}: {} rows ({})\n", one_line(table.name), text::grouped(fit.rows), for_stewards));
  if (fit.no_object > 0) {
    output.write(fmt::format("{} lines are no object of JSON: they are rows with nothing in them\n",
                             text::grouped(fit.no_object)));
  }
  std::vector<Row> rows;
  for (const ColumnFit& column : fit.columns) {
    rows.push_back({one_line(column.name), text::grouped(fit.rows - column.empty - column.unread), cells(column.empty),
                    cells(column.unread), cells(column.outside), cells(column.no_key)});
  }
  write_aligned(output,
                {{"column"},
                 {"values", Align::right},
                 {"empty", Align::right},
                 {"unreadable", Align::right},
                 {"out of bounds", Align::right},
                 {"not a key", Align::right}},
                rows);
  for (const ColumnFit& column : fit.columns) write_advice(output, column);
}

void write_column_json(JsonWriter& json, const ColumnFit& column) {
  json.begin_object();
  json.member("name", std::string_view(column.name));
  json.member("empty", column.empty);
  json.member("unreadable", column.unread);
  json.member("outside", column.outside);
  json.member("no_key", column.no_key);
  json.member("advice", std::string_view(column.advice));
  json.end_object();
}

void write_fit_json(JsonWriter& json, const query::Table& table, const engine::TableFit& fit) {
  json.begin_object();
  json.member("table", std::string_view(table.name));
  json.member("rows", fit.rows);
  if (query::format_of(table.source) == "json") json.member("no_object", fit.no_object);
  json.key("columns");
  json.begin_array();
  for (const ColumnFit& column : fit.columns) write_column_json(json, column);
  json.end_array();
  json.end_object();
}

}  // namespace

Result<void> write_fit(const query::Catalog& catalog, Output& output, bool as_json) {
  std::vector<std::pair<const query::Table*, engine::TableFit>> fits;
  for (const auto* const tables : {&catalog.tables, &catalog.public_tables}) {
    for (const query::Table& table : *tables) {
      if (table.source.kind != query::SourceKind::csv) continue;  // the others are checked by their own types
      VERNIER_TRY(engine::TableFit fit, engine::fit_of(catalog, table));
      fits.emplace_back(&table, std::move(fit));
    }
  }
  if (fits.empty()) {
    return invalid(
        "--data looks at the cells of CSV and JSON lines, but no table of this catalog has such files; leave it out",
        "Parquet and Arrow are checked by the types that they store");
  }
  if (!as_json) {
    for (const auto& [table, fit] : fits) write_table_fit(output, *table, fit);
    return {};
  }
  JsonWriter json(output);
  json.begin_object();
  json.member("for", std::string_view(for_stewards));
  json.key("tables");
  json.begin_array();
  for (const auto& [table, fit] : fits) write_fit_json(json, *table, fit);
  json.end_array();
  json.end_object();
  output.write("\n");
  return {};
}

}  // namespace vernier::cli
