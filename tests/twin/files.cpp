#include "twin/files.hpp"

#include <algorithm>
#include <fstream>
#include <stdexcept>

#include "vernier/query/quote.hpp"

namespace vernier::twin {
namespace {

std::string quoted_cell(const std::string& text) { return query::quoted_identifier(text); }  // quotes inside doubled

// Where a line is a row, no cell may have its end.
std::string without_line_ends(std::string text) {
  std::replace(text.begin(), text.end(), '\n', '\r');
  return text;
}

std::string csv_line(const Row& cells, bool line_breaks) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    line.append(i == 0 ? "" : ",").append(cells[i] ? quoted_cell(*cells[i]) : "");
  }
  return (line_breaks ? line : without_line_ends(line)).append("\n");
}

void write_csv(const std::filesystem::path& path, const query::Table& table, const std::vector<Row>& rows) {
  std::ofstream file(path, std::ios::binary);
  Row names;
  for (const query::Column& column : table.columns) names.emplace_back(column.name);
  file << csv_line(names, table.source.line_breaks);
  for (const Row& row : rows) file << csv_line(row, table.source.line_breaks);
}

std::string values_of(const Row& row) {
  std::string values;
  for (const Cell& cell : row) {
    values.append(values.empty() ? "" : ", ").append(cell ? query::quoted_text(*cell) : "NULL::VARCHAR");
  }
  return query::bracketed(values);
}

void write_parquet(const std::filesystem::path& path, const query::Table& table, const std::vector<Row>& rows,
                   testing::DuckDbSession& writer) {
  std::string columns, names, all;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const std::string name = std::string("c").append(std::to_string(i));
    names.append(i == 0 ? "" : ", ").append(name);
    columns.append(i == 0 ? "TRY_CAST(" : ", TRY_CAST(").append(name).append(" AS ");
    columns.append(query::column_type(table.columns[i].type)).append(") AS ");
    columns.append(query::quoted_identifier(table.columns[i].name));
  }
  for (const Row& row : rows) all.append(all.empty() ? "" : ", ").append(values_of(row));
  const std::string none = values_of(Row(table.columns.size()));
  const std::string list = "(VALUES " + (rows.empty() ? none : all) + ") AS v(" + names + ")";
  const std::string select = "SELECT " + columns + " FROM " + list + (rows.empty() ? " WHERE FALSE" : "");
  if (!writer.run("COPY (" + select + ") TO " + query::quoted_text(path.string()) + " (FORMAT parquet)")) {
    throw std::runtime_error(writer.error());
  }
}

}  // namespace

void write_source(const std::filesystem::path& folder, const query::Table& table, const std::vector<Row>& rows,
                  testing::DuckDbSession& writer) {
  const std::filesystem::path path = folder / table.source.path;
  if (table.source.kind == query::SourceKind::csv) return write_csv(path, table, rows);
  write_parquet(path, table, rows, writer);
}

}  // namespace vernier::twin
