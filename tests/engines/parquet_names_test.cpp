#include <string>
#include <vector>

#include <duckdb.h>
#include <gtest/gtest.h>

#include "vernier/engine/parquet/schema.hpp"

namespace vernier::engine {
namespace {

// Whether DuckDB has run the statement.
bool run(const std::string& sql) {
  duckdb_database database = nullptr;
  duckdb_connection connection = nullptr;
  const bool ran = duckdb_open(nullptr, &database) == DuckDBSuccess &&
                   duckdb_connect(database, &connection) == DuckDBSuccess &&
                   duckdb_query(connection, sql.c_str(), nullptr) == DuckDBSuccess;
  duckdb_disconnect(&connection);
  duckdb_close(&database);
  return ran;
}

TEST(ParquetNames, AreReadFromWhatAnEngineHasWritten) {
  const std::string path = testing::TempDir() + "names_test.parquet";
  ASSERT_TRUE(
      run("COPY (SELECT i AS id, 'x' || i AS \"größe, m\", [i] AS tags, {'a': i, 'b': {'c': 1}} AS nested, "
          "DATE '2020-01-01' AS day, i / 7 AS income, i > 3 AS \"a.b\" FROM range(100000) t(i)) TO '" +
          path + "' (FORMAT parquet)"));
  EXPECT_EQ(parquet_names(path).value(), (std::vector<std::string>{"id", "größe, m", "day", "income", "a.b"}));
}

TEST(ParquetNames, MayBeHundreds) {
  const std::string path = testing::TempDir() + "wide_test.parquet";
  std::string columns = "1 AS c0";
  for (int i = 1; i < 500; ++i) columns += ", " + std::to_string(i) + " AS c" + std::to_string(i);
  ASSERT_TRUE(run("COPY (SELECT " + columns + ") TO '" + path + "' (FORMAT parquet)"));
  const auto names = parquet_names(path).value();
  ASSERT_EQ(names.size(), 500U);
  EXPECT_EQ(names.back(), "c499");
}

}  // namespace
}  // namespace vernier::engine
