#include "vernier/engine/duckdb/views.hpp"

#include <string>

#include "vernier/engine/duckdb/sources.hpp"
#include "vernier/plan/render/rows.hpp"
#include "vernier/plan/render/sql.hpp"
#include "vernier/query/quote.hpp"
#include "vernier/query/translate/syntax.hpp"

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
                     ", and a join must find one",
                 "write each key once into its file, or name more columns in USING");
}

}  // namespace

Result<void> check_unique_keys(duckdb_connection connection, const plan::BoundJoin& join) {
  duckdb_result result{};
  const bool done = duckdb_query(connection, plan::repeated_key(join).c_str(), &result) == DuckDBSuccess;
  Result<void> checked =
      done ? verdict(result, join)
           : fail(ErrorKind::system, "the keys of the public table '" + join.table.name + "' could not be looked at",
                  "nothing was spent");
  duckdb_destroy_result(&result);
  return checked;
}

namespace {

using query::quoted_identifier;
using query::quoted_text;

std::string with_comma(const std::string& list, const std::string& item) {
  return list.empty() ? item : list + ", " + item;
}

// Nothing is guessed from the path or made of bytes.
std::string parquet_rows(const SourceFile& file) {
  return "read_parquet(" + quoted_text(file.path.string()) +
         ", hive_partitioning = false, union_by_name = false, binary_as_string = false, file_row_number = false)";
}

// Values that mean that nothing is known.
std::string known(const std::string& value, const query::Column& column) {
  std::string codes;
  for (const query::Value& code : column.format.missing_values) codes = with_comma(codes, query::rendered(code));
  return codes.empty() ? value : "CASE WHEN (" + value + ") IN (" + codes + ") THEN NULL ELSE " + value + " END";
}

template <class ValueOf>
std::string known_columns(const query::Table& table, const ValueOf& value_of) {
  std::string values;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const query::Column& column = table.columns[i];
    values = with_comma(values, known(value_of(i), column) + " AS " + quoted_identifier(column.name));
  }
  return values;
}

// One file behind the other.
template <class RowsOf>
std::string of_all(const SourceColumns& columns, const RowsOf& rows_of) {
  std::string rows;
  for (const SourceFile& file : columns.files) rows += (rows.empty() ? "" : " UNION ALL ") + rows_of(file);
  return rows;
}

std::string declared_rows(const query::Table& table, const SourceColumns& columns) {
  if (columns.has_lines()) return known_rows(table, csv_function(table) + "()");
  return of_all(columns, [&](const SourceFile& file) {
    const auto stored = [&](std::size_t i) { return stored_value(table.columns[i].type, file.stored[file.places[i]]); };
    return "SELECT " + known_columns(table, stored) + " FROM " + parquet_rows(file);
  });
}

}  // namespace

std::string known_rows(const query::Table& table, const std::string& rows) {
  const auto read = [&](std::size_t i) { return quoted_identifier(table.columns[i].name); };
  return "SELECT " + known_columns(table, read) + " FROM " + rows;
}

std::string create_view(const query::Table& table, const SourceColumns& columns) {
  return "CREATE VIEW " + plan::view_name(table) + " AS " + declared_rows(table, columns);
}

std::string create_copy(const query::Table& table, const SourceColumns& columns) {
  return "CREATE TABLE " + plan::view_name(table) + " AS " + declared_rows(table, columns);
}

// The engine knows no statistics of the columns, so that it has to read them to count what is there.
std::string read_all_cells(const query::Table& table, const SourceColumns& columns) {
  return of_all(columns, [&](const SourceFile& file) {
    std::string counts;
    for (std::size_t i = 0; i < table.columns.size(); ++i)
      counts = with_comma(counts, "COUNT(" + quoted_identifier(file.names[file.places[i]]) + ")");
    return "SELECT " + counts + " FROM " + parquet_rows(file);
  });
}

}  // namespace vernier::engine
