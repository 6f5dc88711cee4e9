#include "engines/portable/servers.hpp"

#include <cmath>
#include <cstdlib>
#include <stdexcept>

#include <unistd.h>

#include "vernier/engine/duckdb/statement.hpp"
#include "vernier/plan/render/rows.hpp"

namespace vernier::engines {

using engine::Cell;

Reference::Reference() {
  duckdb_open(nullptr, &database_);
  duckdb_connect(database_, &connection_);
  run("SET threads = 1");
}

Reference::~Reference() {
  duckdb_disconnect(&connection_);
  duckdb_close(&database_);
}

void Reference::run(const std::string& sql) {
  duckdb_result result{};
  const bool done = duckdb_query(connection_, sql.c_str(), &result) == DuckDBSuccess;
  const std::string problem = done ? "" : duckdb_result_error(&result);
  duckdb_destroy_result(&result);
  if (!done) throw std::runtime_error("DuckDB refused: " + problem + "\n" + sql);
}

Result<std::vector<engine::EngineColumn>> Reference::columns(const query::Source&) {
  return invalid("the reference is not looked at");
}

Result<engine::Cells> Reference::read(const std::string& sql, const std::vector<query::Type>& types,
                                      std::size_t most_rows, const Progress& progress) {
  return engine::read_cells(connection_, sql, types, most_rows, progress);
}

Reader new_reader(testing::PostgresqlServer& server) {
  static int count = 0;
  const std::string name = "of_reader_" + std::to_string(++count);
  const std::string password = "pa55-of-the-reader";
  server.run("CREATE ROLE " + name + " LOGIN PASSWORD '" + password + "'; CREATE SCHEMA " + name +
             "; GRANT USAGE ON SCHEMA " + name + " TO " + name + "; ALTER DEFAULT PRIVILEGES IN SCHEMA " + name +
             " GRANT SELECT ON TABLES TO " + name);
  ::setenv("PGPASSWORD", password.c_str(), 1);
  const std::string whole = server.address_of("public");
  const std::size_t host = whole.find('@'), end = whole.find('?');
  query::Engine engine;
  engine.kind = "postgresql";
  engine.address = "postgresql://" + name + whole.substr(host, end - host);
  engine.seconds = 60;
  engine.portable = true;
  return {name, engine};
}

std::string Other::table(const std::string& name) const {
  std::vector<std::string> parts;
  for (const std::string& part : schema) parts.push_back(dialect.identifier(part));
  parts.push_back(dialect.identifier(name));
  return plan::joined(parts, ".");
}

std::optional<Other> new_postgresql() {
  if (!testing::PostgresqlServer::is_installed()) return std::nullopt;
  testing::PostgresqlServer& server = testing::PostgresqlServer::of_this_process();
  const Reader reader = new_reader(server);
  server.run(
      "SET client_min_messages = error; CREATE COLLATION IF NOT EXISTS public.any_case (provider = icu, locale = "
      "'und-u-ks-level2', deterministic = "
      "false)");
  return Other{query::postgresql_dialect(), {reader.schema}, reader.engine, [&server](const std::string& sql) {
                 server.run(sql);
               }};
}

namespace {

// INSERT and CREATE TABLE AS answer with a number, all else with nothing; Spark with nothing at all.
void write_by(engine::Connection& connection, const std::string& sql, bool counts) {
  const bool has_number = counts && (sql.starts_with("INSERT") || sql.find(" AS SELECT") != std::string::npos);
  const std::vector<query::Type> types(has_number ? 1 : 0, query::Type::integer);
  if (!connection.read(sql, types, 1, nobody_watches)) {
    throw std::runtime_error("the engine refused:\n" + sql.substr(0, 2000));
  }
}

std::optional<Other> at(const char* variable, const query::Dialect& dialect, const std::vector<std::string>& catalog) {
  const char* const address = std::getenv(variable);
  if (address == nullptr) return std::nullopt;
  query::Engine engine;
  engine.kind = std::string(dialect.name());
  engine.address = address;
  engine.seconds = 120;
  engine.portable = true;
  auto made = engine::connect(engine);
  if (!made) throw std::runtime_error(made.error().sentence());
  const std::shared_ptr<engine::Connection> writer = *std::move(made);
  static int count = 0;
  std::vector<std::string> schema = catalog;
  schema.push_back("s" + std::to_string(::getpid()) + "_" + std::to_string(++count));
  const bool counts = &dialect == &query::trino_dialect();
  write_by(*writer, "CREATE SCHEMA " + plan::joined(schema, "."), counts);
  return Other{dialect, schema, engine, [=](const std::string& sql) { write_by(*writer, sql, counts); }};
}

}  // namespace

std::optional<Other> new_trino(const std::string& catalog) {
  return at("VERNIER_TEST_TRINO", query::trino_dialect(), {catalog});
}

std::optional<Other> new_spark() { return at("VERNIER_TEST_SPARK", query::spark_dialect(), {}); }

namespace {

std::string constant(const query::Dialect& dialect, query::Type type, const Cell& cell) {
  const auto* const real = cell ? std::get_if<double>(&*cell) : nullptr;
  if (real != nullptr && !std::isfinite(*real)) {  // no constant of a plan is
    const std::string name = std::isnan(*real) ? "NaN" : *real > 0 ? "Infinity" : "-Infinity";
    return "CAST('" + name + "' AS " + std::string(dialect.type(type)) + ")";
  }
  return cell ? dialect.constant(*cell) : "CAST(NULL AS " + std::string(dialect.type(type)) + ")";
}

}  // namespace

std::string stored_type(const query::Dialect& dialect, query::Type type) {
  const bool is_text = &dialect == &query::postgresql_dialect() && type == query::Type::string;
  return std::string(dialect.type(type)) + (is_text ? " COLLATE public.any_case" : "");
}

std::vector<std::string> creation(const query::Dialect& dialect, const query::Table& table,
                                  const std::vector<std::vector<Cell>>& rows) {
  std::vector<std::string> columns, lines, parts;
  for (const query::Column& column : table.columns) {
    columns.push_back(dialect.identifier(column.name) + " " + stored_type(dialect, column.type));
  }
  for (const auto& row : rows) {
    std::vector<std::string> cells;
    for (std::size_t i = 0; i < row.size(); ++i) cells.push_back(constant(dialect, table.columns[i].type, row[i]));
    lines.push_back("(" + plan::joined(cells) + ")");
  }
  for (const std::string& part : table.source.table) parts.push_back(dialect.identifier(part));
  const std::string name = plan::joined(parts, ".");
  std::vector<std::string> statements = {"CREATE TABLE " + name + " (" + plan::joined(columns) + ")"};
  if (!lines.empty()) statements.push_back("INSERT INTO " + name + " VALUES " + plan::joined(lines));
  return statements;
}

}  // namespace vernier::engines
