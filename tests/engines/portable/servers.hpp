#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <duckdb.h>

#include "support/postgresql_server.hpp"
#include "vernier/engine/sql/session.hpp"
#include "vernier/query/dialect/dialect.hpp"

// Engines with tables that tests fill, each behind the same two faces: text in its dialect, and a connection.
namespace vernier::engines {

// The embedded engine by portable statements over tables of its own: the reference of all comparisons.
class Reference final : public engine::Connection {
 public:
  Reference();
  ~Reference() override;

  Result<std::vector<engine::EngineColumn>> columns(const query::Source& source) override;
  Result<void> check(const std::string&) override { return {}; }
  Result<void> begin() override { return {}; }
  Result<engine::Cells> read(const std::string& sql, const std::vector<query::Type>& types, std::size_t most_rows,
                             const Progress& progress) override;
  bool is_lost() const override { return false; }
  std::string version() const override { return "DuckDB"; }
  bool has_snapshot() const override { return true; }

  void run(const std::string& sql);  // throws where it fails

 private:
  duckdb_database database_ = nullptr;
  duckdb_connection connection_ = nullptr;
};

// A reader of the tests' own PostgreSQL, who may read the tables of a schema and nothing else; the password is in
// PGPASSWORD.
struct Reader {
  std::string schema;
  query::Engine engine;  // its address, without a password
};
Reader new_reader(testing::PostgresqlServer& server);

// Another engine with a schema of its own, which tests fill and read.
struct Other {
  const query::Dialect& dialect;
  std::vector<std::string> schema;  // what stands before the name of a table
  query::Engine engine;
  std::function<void(const std::string&)> write;  // throws where it fails

  std::string table(const std::string& name) const;  // as statements have it
};
// None where the server is not there; then the tests are skipped with a sentence.
std::optional<Other> new_postgresql();
std::optional<Other> new_trino(const std::string& catalog = "memory");
inline constexpr const char* how_to_get_trino =
    "there is no Trino; tools/setup --engines gets one, and tests/engines/trino.py COMMAND starts it";

// By Spark Connect.
std::optional<Other> new_spark();
inline constexpr const char* how_to_get_spark =
    "there is no Spark; tools/setup --engines gets one, and tests/engines/spark.py COMMAND starts it";

// Of a column: PostgreSQL's texts are compared there without a look at their case, unless a statement says otherwise.
std::string stored_type(const query::Dialect& dialect, query::Type type);

// A table of typed cells under its dialect's types: CREATE TABLE and INSERT, each a statement.
std::vector<std::string> creation(const query::Dialect& dialect, const query::Table& table,
                                  const std::vector<std::vector<engine::Cell>>& rows);

}  // namespace vernier::engines
