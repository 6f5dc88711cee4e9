#include "vernier/engine/duckdb_views.hpp"

#include "vernier/engine/duckdb_cells.hpp"
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

// The header is skipped: columns are known by their place, under names of our own.
std::string csv_column(std::size_t place) { return std::string("c").append(std::to_string(place)); }

// A row that is too short is filled up with NULL and one that is too long is cut; one that is no UTF-8 is left out.
// Several threads would fail on a line end within quotes, so that one of them alone reads where there are quotes.
std::string csv_rows(const query::Source& source, const SourceColumns& columns) {
  std::string types;
  for (std::size_t i = 0; i < columns.names.size(); ++i) types = with_comma(types, csv_column(i) + ": 'VARCHAR'");
  const std::string quote = source.quoted ? "'\"'" : "''";
  return "read_csv(" + quoted_text(columns.path.string()) +
         ", auto_detect = false, header = true, delim = " + quoted_text(std::string(1, source.delimiter)) +
         ", quote = " + quote + ", escape = " + quote + ", columns = {" + types +
         "}, null_padding = true, ignore_errors = true, strict_mode = false, compression = 'none', parallel = " +
         (source.quoted ? "false" : "true") + ")";
}

std::string csv_value(const query::Column& column, std::size_t place) {
  return read_cell(column.type, csv_column(place));
}

// Nothing is guessed from the path or made of bytes.
std::string parquet_rows(const SourceColumns& columns) {
  return "read_parquet(" + quoted_text(columns.path.string()) +
         ", hive_partitioning = false, union_by_name = false, binary_as_string = false, file_row_number = false)";
}

std::string declared_rows(const query::Table& table, const SourceColumns& columns) {
  const bool is_csv = table.source.kind == query::SourceKind::csv;
  std::string values;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const std::size_t place = columns.places[i];
    std::string value =
        is_csv ? csv_value(table.columns[i], place) : stored_value(table.columns[i].type, columns.stored[place]);
    values = with_comma(values, value.append(" AS ").append(quoted_identifier(table.columns[i].name)));
  }
  return "SELECT " + values + " FROM " + (is_csv ? csv_rows(table.source, columns) : parquet_rows(columns));
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
