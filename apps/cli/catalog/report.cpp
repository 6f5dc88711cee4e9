#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "cli/catalog/catalog.hpp"
#include "cli/output.hpp"
#include "vernier/ledger/postgresql/store.hpp"
#include "vernier/query/duckdb/sql.hpp"
#include "vernier/query/query.hpp"
#include "vernier/query/source_files.hpp"
#include "vernier/query/value.hpp"

namespace vernier::cli {
namespace {

using query::Column;
using query::Table;
using query::Type;

Row row_of(const Column& column) {
  const bool is_real = column.type == Type::real;
  return {column.name,
          std::string(query::name_of(column.type)),
          column.range ? query::text_of(column.range->lower) : "-",
          column.range ? query::text_of(column.range->upper) : "-",
          is_real ? query::plain(column.granularity) : "-",
          column.keys.empty() ? "private" : fmt::format("{} public{}", column.keys.size(), column.rest ? ", rest" : ""),
          column.labels.empty() ? "-" : std::to_string(column.labels.size())};
}

std::string unit_meaning(const Table& table) {
  if (table.via) {
    return fmt::format("protected is whoever '{}' names where its {} is the row's {}", table.via->table, table.via->key,
                       table.via->by);
  }
  return table.unit ? "protected is whoever this column names" : "protected is each row by itself";
}

std::vector<Line> protection_of(const Table& table) {
  if (table.is_public) return {{"public", "yes", "everybody may know it; it can be joined to the others"}};
  const bool replace = table.neighbours == privacy::Neighbours::replace;
  std::vector<Line> lines = {{"unit", table.unit.value_or("row"), unit_meaning(table)},
                             {"neighbours", std::string(privacy::name_of(table.neighbours)),
                              replace ? "its content is protected" : "its presence is protected"},
                             {"row_limit", std::to_string(table.row_limit), "never more rows"}};
  if (table.sampled) lines.push_back({"sampled", table.sampled->text(), "of the population is in the table"});
  if (table.weight) lines.push_back({"weight", *table.weight, "for how many members of the population a row stands"});
  if (table.public_count) lines.push_back({"public_count", "yes", "everybody may know how many rows there are"});
  return lines;
}

Row row_of(const query::NamedExpression& named, const query::Expression& x) {
  const std::optional<query::Range> range = told_range(x);
  return {named.name, std::string(query::name_of(x.type())), range ? query::text_of(range->lower) : "-",
          range ? query::text_of(range->upper) : "-", query::canonical(x)};
}

void write_expressions_of(Output& output, const Table& table) {
  std::vector<Row> rows;
  for (const query::NamedExpression& named : table.expressions) {
    if (const Result<query::Expression> x = query::meaning_of(named, table)) rows.push_back(row_of(named, *x));
  }
  output.write("\n");
  write_aligned(output, {{"expression"}, {"type"}, {"lower", Align::right}, {"upper", Align::right}, {"is"}}, rows);
}

void write_table_of(Output& output, const Table& table) {
  std::vector<Line> lines = {{"table", table.name, ""},
                             {"source", table.source.told(), std::string(query::format_of(table.source))}};
  if (table.source.line_breaks) lines.push_back({"line_breaks", "yes", "a row may have several lines, in quotes"});
  const std::vector<Line> protection = protection_of(table);
  lines.insert(lines.end(), protection.begin(), protection.end());
  output.write("\n");
  write_lines(output, lines);
  std::vector<Row> rows;
  for (const Column& column : table.columns) rows.push_back(row_of(column));
  output.write("\n");
  write_table(output, {"column", "type", "lower", "upper", "granularity", "keys", "labels"}, rows);
  if (!table.expressions.empty()) write_expressions_of(output, table);
}

void write_views(Output& output, const query::Catalog& catalog) {
  std::vector<Row> rows;
  for (const query::View& view : catalog.views) {
    if (const Result<query::Expression> where = query::condition_of(view, catalog))
      rows.push_back({view.name, view.table, query::canonical(*where)});
  }
  output.write("\n");
  write_aligned(output, {{"view"}, {"of"}, {"where"}}, rows);
}

std::string text_of_part(const numeric::Rational& value) { return query::plain(nearest(value)); }

Row row_of(const std::string& name, const numeric::Rational& part, const query::Budget& budget) {
  return {name, text_of_part(part), text_of_part(part * budget.epsilon), text_of_part(part * budget.delta)};
}

void write_shares(Output& output, const query::Budget& budget) {
  std::vector<Row> rows;
  for (const query::BudgetShare& share : budget.shares) rows.push_back(row_of(share.analyst, share.part, budget));
  rows.push_back(row_of("(reserve)", budget.reserve(), budget));
  output.write("\n");
  write_aligned(output, {{"analyst"}, {"share", Align::right}, {"epsilon", Align::right}, {"delta", Align::right}},
                rows);
}

Line witness_line(const query::Budget& budget) {
  if (budget.without_witness) return {"witness", "none", "an older copy of the ledger goes unnoticed"};
  return {"witness", budget.witness ? budget.witness->string() : "state folder", "remembers how far it went"};
}

}  // namespace

std::string told_ledger(const query::Budget& budget) {
  const bool is_address = budget.ledger.find("://") != std::string::npos;
  return is_address ? ledger::name_of_postgresql(budget.ledger) : budget.ledger;
}

std::optional<query::Range> told_range(const query::Expression& x) {
  if (!x.bounded()) return std::nullopt;
  if (const auto* const whole = std::get_if<query::IntegerSpan>(&x.span()); whole && query::is_narrow(*whole)) {
    return query::Range{static_cast<std::int64_t>(whole->lower), static_cast<std::int64_t>(whole->upper)};
  }
  if (const auto* const reals = std::get_if<query::RealSpan>(&x.span()))
    return query::Range{reals->lower, reals->upper};
  if (const auto* const days = std::get_if<query::DaySpan>(&x.span())) return query::Range{days->lower, days->upper};
  return std::nullopt;
}

void write_report(Output& output, const query::Catalog& catalog) {
  const query::Budget& budget = catalog.budget;
  write_lines(output, {{"catalog", catalog.path.string(), "is in order"},
                       {"epsilon", query::plain(nearest(budget.epsilon)), "of everything together"},
                       {"delta", query::plain(nearest(budget.delta)), ""},
                       {"accountant", std::string(query::name_of(budget.accountant)), "adds up the studies"},
                       {"ledger", told_ledger(budget), "holds what is left"},
                       witness_line(budget)});
  if (!budget.shares.empty()) write_shares(output, budget);
  for (const Table& table : catalog.tables) write_table_of(output, table);
  for (const Table& table : catalog.public_tables) write_table_of(output, table);
  if (!catalog.views.empty()) write_views(output, catalog);
}

namespace {

using query::Value;

void write_bound(JsonWriter& json, std::string_view name, const std::optional<query::Range>& range,
                 Value query::Range::*end) {
  json.key(name);
  if (range) return query::write_value(json, *range.*end);
  json.value(std::optional<double>());
}

void write_true(JsonWriter& json, std::string_view name) {
  json.key(name);
  json.boolean(true);
}

void write_column(JsonWriter& json, const Column& column) {
  json.begin_object();
  json.member("name", std::string_view(column.name));
  json.member("type", query::name_of(column.type));
  write_bound(json, "lower", column.range, &query::Range::lower);
  write_bound(json, "upper", column.range, &query::Range::upper);
  json.member("granularity", column.type == query::Type::real ? std::optional(column.granularity) : std::nullopt);
  if (column.never_null) write_true(json, "never_null");
  json.key("keys");
  json.begin_array();
  for (const Value& key : column.keys) query::write_value(json, key);
  json.end_array();
  if (column.rest) {
    json.key("rest");
    query::write_value(json, *column.rest);
  }
  json.key("labels");
  json.begin_object();
  for (const auto& [value, label] : column.labels) json.member(query::text_of(value), std::string_view(label));
  json.end_object();
  json.end_object();
}

void write_protection(JsonWriter& json, const Table& table) {
  json.member("unit", std::string_view(table.unit ? *table.unit : "row"));
  if (table.via) json.member("via", std::string_view(table.via->table + "." + table.via->key));
  json.member("neighbours", privacy::name_of(table.neighbours));
  json.member("row_limit", table.row_limit);
  if (table.sampled) json.member("sampled", nearest(*table.sampled));
  if (table.weight) json.member("weight", std::string_view(*table.weight));
  if (table.public_count) write_true(json, "public_count");
}

// Where the expression has them.
void write_ends(JsonWriter& json, const query::Expression& x) {
  const std::optional<query::Range> range = told_range(x);
  write_bound(json, "lower", range, &query::Range::lower);
  write_bound(json, "upper", range, &query::Range::upper);
}

void write_expressions(JsonWriter& json, const Table& table) {
  json.key("expressions");
  json.begin_array();
  for (const query::NamedExpression& named : table.expressions) {
    const Result<query::Expression> x = query::meaning_of(named, table);
    if (!x) continue;
    json.begin_object();
    json.member("name", std::string_view(named.name));
    json.member("type", query::name_of(x->type()));
    write_ends(json, *x);
    json.member("sql", std::string_view(query::canonical(*x)));
    json.end_object();
  }
  json.end_array();
}

void write_views(JsonWriter& json, const query::Catalog& catalog) {
  json.key("views");
  json.begin_array();
  for (const query::View& view : catalog.views) {
    const Result<query::Expression> where = query::condition_of(view, catalog);
    if (!where) continue;
    json.begin_object();
    json.member("name", std::string_view(view.name));
    json.member("table", std::string_view(view.table));
    json.member("where", std::string_view(query::canonical(*where)));
    json.end_object();
  }
  json.end_array();
}

void write_table(JsonWriter& json, const Table& table) {
  json.begin_object();
  json.member("name", std::string_view(table.name));
  json.key("source");  // null where the rows are in memory
  table.source.kind == query::SourceKind::arrow ? json.value(std::optional<double>())
                                                : json.value(std::string_view(table.source.told()));
  json.member("format", query::format_of(table.source));
  if (table.source.line_breaks) write_true(json, "line_breaks");
  json.key("public");
  json.boolean(table.is_public);
  if (!table.is_public) write_protection(json, table);
  json.key("columns");
  json.begin_array();
  for (const Column& column : table.columns) write_column(json, column);
  json.end_array();
  if (!table.is_public) write_expressions(json, table);
  json.end_object();
}

void write_shares(JsonWriter& json, const query::Budget& budget) {
  json.key("shares");
  json.begin_array();
  for (const query::BudgetShare& share : budget.shares) {
    json.begin_object();
    json.member("analyst", std::string_view(share.analyst));
    json.member("part", nearest(share.part));
    json.end_object();
  }
  json.end_array();
  json.member("reserve", budget.shares.empty() ? std::nullopt : std::optional(nearest(budget.reserve())));
}

void write_witness(JsonWriter& json, const query::Budget& budget) {
  if (budget.without_witness) return json.member("witness", std::string_view("none"));
  if (budget.witness) return json.member("witness", std::string_view(budget.witness->string()));
  json.member("witness", std::optional<double>());
}

void write_budget(JsonWriter& json, const query::Budget& budget) {
  json.key("budget");
  json.begin_object();
  json.member("epsilon", nearest(budget.epsilon));
  json.member("delta", nearest(budget.delta));
  json.member("ledger", std::string_view(told_ledger(budget)));
  json.member("accountant", query::name_of(budget.accountant));
  json.member("conversion", query::name_of(budget.conversion));
  write_witness(json, budget);
  write_shares(json, budget);
  json.end_object();
}

void write_catalog(JsonWriter& json, const query::Catalog& catalog) {
  write_budget(json, catalog.budget);
  json.key("tables");
  json.begin_array();
  for (const Table& table : catalog.tables) write_table(json, table);
  for (const Table& table : catalog.public_tables) write_table(json, table);
  json.end_array();
  write_views(json, catalog);
}

void write_problems(JsonWriter& json, const std::vector<query::Problem>& problems, const vernier::Spelling& spelling) {
  json.key("problems");
  json.begin_array();
  for (const query::Problem& problem : problems) {
    json.begin_object();
    json.member("line", std::int64_t{problem.place.line});
    json.member("column", std::int64_t{problem.place.column});
    json.member("sentence", std::string_view(problem.error.sentence(spelling)));
    json.end_object();
  }
  json.end_array();
}

}  // namespace

void write_json(Output& output, const std::string& path, const query::Reading<query::Catalog>& reading,
                const vernier::Spelling& spelling) {
  JsonWriter json(output);
  json.begin_object();
  json.member("catalog", std::string_view(path));
  write_problems(json, reading.problems, spelling);
  if (reading.content) write_catalog(json, *reading.content);
  json.end_object();
  output.write("\n");
}

}  // namespace vernier::cli
