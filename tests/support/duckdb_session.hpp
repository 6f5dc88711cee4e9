#pragma once

#include <optional>
#include <string>
#include <vector>

#include <duckdb.h>

namespace vernier::testing {

// A DuckDB in memory, for tests that look at what the engine makes of rendered SQL.
class DuckDbSession {
 public:
  DuckDbSession() {
    duckdb_open(nullptr, &database_);
    duckdb_connect(database_, &connection_);
    run("SET threads = 1");
  }
  DuckDbSession(const DuckDbSession&) = delete;
  DuckDbSession& operator=(const DuckDbSession&) = delete;
  ~DuckDbSession() {
    duckdb_disconnect(&connection_);
    duckdb_close(&database_);
  }

  // The first row as text, "NULL" for NULL; none after an error, which error() then tells.
  std::optional<std::vector<std::string>> run(const std::string& sql) {
    duckdb_result result{};
    std::optional<std::vector<std::string>> row;
    if (duckdb_query(connection_, sql.c_str(), &result) == DuckDBSuccess) {
      row = first_row(result);
    } else {
      error_ = duckdb_result_error(&result);
    }
    duckdb_destroy_result(&result);
    return row;
  }

  const std::string& error() const { return error_; }

 private:
  static std::vector<std::string> first_row(duckdb_result& result) {
    std::vector<std::string> row;
    if (duckdb_row_count(&result) == 0) return row;
    for (idx_t i = 0; i < duckdb_column_count(&result); ++i) {
      char* const text = duckdb_value_varchar(&result, i, 0);
      row.emplace_back(text == nullptr ? "NULL" : text);
      duckdb_free(text);
    }
    return row;
  }

  duckdb_database database_ = nullptr;
  duckdb_connection connection_ = nullptr;
  std::string error_;
};

}  // namespace vernier::testing
