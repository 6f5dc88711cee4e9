#include "vernier/engine/duckdb_views.hpp"

#include "vernier/engine/duckdb_csv.hpp"
#include "vernier/plan/sql.hpp"
#include "vernier/query/quote.hpp"

namespace vernier::engine {
namespace {

using query::quoted_identifier;
using query::quoted_text;

std::string with_comma(const std::string& list, const std::string& item) {
  return list.empty() ? item : list + ", " + item;
}

// What the declared type cannot hold is NULL.
std::string parquet_value(const query::Column& column, const std::string& name) {
  return "TRY_CAST(" + quoted_identifier(name) + " AS " + std::string(query::column_type(column.type)) + ")";
}

std::string declared_rows(const query::Table& table, const SourceColumns& columns) {
  if (columns.csv) return "SELECT * FROM " + csv_function(table) + "()";
  std::string values;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    std::string value = parquet_value(table.columns[i], columns.names[columns.places[i]]);
    values = with_comma(values, value.append(" AS ").append(quoted_identifier(table.columns[i].name)));
  }
  return "SELECT " + values + " FROM read_parquet(" + quoted_text(columns.path.string()) + ")";
}

}  // namespace

std::string create_view(const query::Table& table, const SourceColumns& columns) {
  return "CREATE VIEW " + plan::view_name(table) + " AS " + declared_rows(table, columns);
}

std::string create_copy(const query::Table& table, const SourceColumns& columns) {
  return "CREATE TABLE " + plan::view_name(table) + " AS " + declared_rows(table, columns);
}

}  // namespace vernier::engine
