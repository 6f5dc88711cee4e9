#include <duckdb.h>

#include "vernier/audit/audit.hpp"
#include "vernier/query/quote.hpp"

namespace vernier::audit {
namespace {

bool runs(const std::string& sql) {
  duckdb_database database = nullptr;
  duckdb_connection connection = nullptr;
  const bool has_run = duckdb_open(nullptr, &database) == DuckDBSuccess &&
                       duckdb_connect(database, &connection) == DuckDBSuccess &&
                       duckdb_query(connection, sql.c_str(), nullptr) == DuckDBSuccess;
  duckdb_disconnect(&connection);
  duckdb_close(&database);
  return has_run;
}

}  // namespace

Result<void> copy_to_parquet(const std::filesystem::path& csv, const std::filesystem::path& parquet) {
  const std::string sql =
      "COPY (SELECT CAST(id AS BIGINT) AS id, CAST(g AS BIGINT) AS g, CAST(x AS BIGINT) AS x FROM "
      "read_csv(" +
      query::quoted_text(csv.string()) + ", all_varchar = true, header = true)) TO " +
      query::quoted_text(parquet.string()) + " (FORMAT parquet)";
  if (runs(sql)) return {};
  return fail(ErrorKind::system, "a Parquet file of the audit cannot be written", "is the temporary folder full?");
}

}  // namespace vernier::audit
