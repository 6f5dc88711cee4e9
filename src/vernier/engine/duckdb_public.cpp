#include "vernier/engine/duckdb_public.hpp"

#include <string>

#include "vernier/plan/render_joins.hpp"
#include "vernier/query/sql_text.hpp"

namespace vernier::engine {
namespace {

// The first cell of a column; DuckDB's own memory is given back.
std::string cell(duckdb_result& result, idx_t column) {
  char* const text = duckdb_value_varchar(&result, column, 0);
  std::string copy = text == nullptr ? "" : text;
  duckdb_free(text);
  return copy;
}

// "region = 'north', year = '2020'"
std::string told_key(duckdb_result& result, const plan::BoundJoin& join) {
  std::string told;
  for (idx_t i = 0; i < join.right.size(); ++i) {
    told += (i == 0 ? "" : ", ") + join.right[i].name + " = '" + query::shown(cell(result, i)) + "'";
  }
  return told;
}

Result<void> verdict(duckdb_result& result, const plan::BoundJoin& join) {
  if (duckdb_row_count(&result) == 0) return {};
  return invalid("the public table '" + join.table.name + "' has several rows with " + told_key(result, join) +
                 ", and a join must find one; write each key once into its file, or name more columns in USING");
}

}  // namespace

Result<void> check_unique_keys(duckdb_connection connection, const plan::BoundJoin& join) {
  duckdb_result result{};
  const bool done = duckdb_query(connection, plan::repeated_key(join).c_str(), &result) == DuckDBSuccess;
  Result<void> checked = done ? verdict(result, join)
                              : fail(ErrorKind::system, "the keys of the public table '" + join.table.name +
                                                            "' could not be looked at; nothing was spent");
  duckdb_destroy_result(&result);
  return checked;
}

}  // namespace vernier::engine
