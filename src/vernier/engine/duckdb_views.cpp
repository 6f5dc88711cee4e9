#include "vernier/engine/duckdb_views.hpp"

#include "vernier/engine/duckdb_csv.hpp"
#include "vernier/engine/duckdb_stored.hpp"
#include "vernier/plan/sql.hpp"
#include "vernier/query/quote.hpp"

namespace vernier::engine {
namespace {

using query::quoted_identifier;
using query::quoted_text;

std::string with_comma(const std::string& list, const std::string& item) {
  return list.empty() ? item : list + ", " + item;
}

// Nothing is guessed from the path or made of bytes.
std::string parquet_rows(const SourceColumns& columns) {
  return "read_parquet(" + quoted_text(columns.path.string()) +
         ", hive_partitioning = false, union_by_name = false, binary_as_string = false, file_row_number = false)";
}

std::string declared_rows(const query::Table& table, const SourceColumns& columns) {
  if (columns.csv) return "SELECT * FROM " + csv_function(table) + "()";
  std::string values;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    std::string value = stored_value(table.columns[i].type, columns.stored[columns.places[i]]);
    values = with_comma(values, value.append(" AS ").append(quoted_identifier(table.columns[i].name)));
  }
  return "SELECT " + values + " FROM " + parquet_rows(columns);
}

}  // namespace

std::string create_view(const query::Table& table, const SourceColumns& columns) {
  return "CREATE VIEW " + plan::view_name(table) + " AS " + declared_rows(table, columns);
}

std::string create_copy(const query::Table& table, const SourceColumns& columns) {
  return "CREATE TABLE " + plan::view_name(table) + " AS " + declared_rows(table, columns);
}

// The engine knows no statistics of the columns, so that it has to read them to count what is there.
std::string read_all_cells(const query::Table& table, const SourceColumns& columns) {
  std::string counts;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    counts = with_comma(counts, "COUNT(" + quoted_identifier(columns.names[columns.places[i]]) + ")");
  }
  return "SELECT " + counts + " FROM " + parquet_rows(columns);
}

}  // namespace vernier::engine
