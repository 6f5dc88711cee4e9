#include "vernier/release/record/duckdb_rows.hpp"

#include "vernier/release/record/duckdb_memory.hpp"

namespace vernier::release {
namespace {

Failure not_written() {
  return fail(ErrorKind::system, "the Parquet file could not be made; see that there is memory for it");
}

std::string table_of(const std::vector<CodedColumn>& columns) {
  std::string sql = "CREATE TABLE made_rows (";
  for (const CodedColumn& one : columns) {
    sql += (sql.ends_with('(') ? "" : ", ") + query::quoted_identifier(one.name) + " VARCHAR";
  }
  return sql + ")";
}

bool fill(Database& database, const std::vector<CodedColumn>& columns, std::span<const std::uint32_t> places) {
  duckdb_appender appender = nullptr;
  bool is_good = duckdb_appender_create(database.connection(), nullptr, "made_rows", &appender) == DuckDBSuccess;
  for (std::size_t i = 0; is_good && i < places.size(); ++i) {
    const CodedColumn& column = columns[i % columns.size()];
    const std::string& text = column.texts[places[i]];
    is_good = duckdb_append_varchar_length(appender, text.data(), text.size()) == DuckDBSuccess;
    if ((i + 1) % columns.size() == 0) is_good = is_good && duckdb_appender_end_row(appender) == DuckDBSuccess;
  }
  is_good = is_good && duckdb_appender_close(appender) == DuckDBSuccess;
  duckdb_appender_destroy(&appender);
  return is_good;
}

}  // namespace

Result<std::string> rows_parquet(const std::vector<CodedColumn>& columns, std::span<const std::uint32_t> places) {
  Database database;
  const MemoryFile file;
  if (columns.empty() || !file.is_open() || !database.start() || !database.run(table_of(columns)) ||
      !fill(database, columns, places)) {
    return not_written();
  }
  std::optional<std::string> content = parquet_of(database, file, "made_rows");
  if (!content) return not_written();
  return *std::move(content);
}

}  // namespace vernier::release
