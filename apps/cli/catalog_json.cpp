#include "cli/catalog_json.hpp"

#include <optional>
#include <string_view>

#include "cli/catalog_report.hpp"
#include "cli/json.hpp"
#include "cli/json_values.hpp"
#include "vernier/query/duckdb_catalog.hpp"
#include "vernier/query/query.hpp"

namespace vernier::cli {
namespace {

using query::Column;
using query::Table;
using query::Value;

void write_bound(JsonWriter& json, std::string_view name, const std::optional<query::Range>& range,
                 Value query::Range::*end) {
  json.key(name);
  if (range) return write_value(json, *range.*end);
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
  for (const Value& key : column.keys) write_value(json, key);
  json.end_array();
  json.key("labels");
  json.begin_object();
  for (const auto& [value, label] : column.labels) json.member(query::text_of(value), std::string_view(label));
  json.end_object();
  json.end_object();
}

void write_protection(JsonWriter& json, const Table& table) {
  json.member("unit", std::string_view(table.unit ? *table.unit : "row"));
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
                                                : json.value(std::string_view(table.source.path.string()));
  json.member("format", query::name_of(table.source.kind));
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

void write_problems(JsonWriter& json, const std::vector<query::Problem>& problems) {
  json.key("problems");
  json.begin_array();
  for (const query::Problem& problem : problems) {
    json.begin_object();
    json.member("line", std::int64_t{problem.place.line});
    json.member("column", std::int64_t{problem.place.column});
    json.member("sentence", std::string_view(problem.sentence));
    json.end_object();
  }
  json.end_array();
}

}  // namespace

void write_json(Output& output, const std::string& path, const query::Reading<query::Catalog>& reading) {
  JsonWriter json(output);
  json.begin_object();
  json.member("catalog", std::string_view(path));
  write_problems(json, reading.problems);
  if (reading.content) write_catalog(json, *reading.content);
  json.end_object();
  output.write("\n");
}

}  // namespace vernier::cli
