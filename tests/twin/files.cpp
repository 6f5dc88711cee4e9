#include "twin/files.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>

#include "support/arrow_rows.hpp"
#include "support/parquet_file.hpp"
#include "vernier/engine/cells.hpp"
#include "vernier/query/quote.hpp"

namespace vernier::twin {
namespace {

using query::SourceKind;
using query::Type;
using testing::ParquetCell;
using testing::ParquetColumnData;
using testing::ParquetKind;
using testing::ParquetPhysical;

std::string without_line_feeds(std::string text) {
  std::replace(text.begin(), text.end(), '\n', '\r');
  return text;
}

// In quotes where the table has them, with those inside doubled; a cell that needs none has them half of the time.
std::string csv_cell(const query::Source& source, const std::string& text) {
  const bool needs_quotes = text.find_first_of(std::string("\"\r ") + source.delimiter) != std::string::npos;
  if (!source.quoted || (!needs_quotes && text.size() % 2 == 1)) return text;
  return query::quoted_identifier(text);
}

std::string csv_line(const query::Source& source, const Row& cells) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) line += source.delimiter;
    if (cells[i]) line += csv_cell(source, without_line_feeds(*cells[i]));
  }
  return line.append("\n");
}

void write_csv(const std::filesystem::path& path, const query::Table& table, const std::vector<Row>& rows) {
  std::ofstream file(path, std::ios::binary);
  Row names;
  for (const query::Column& column : table.columns) names.emplace_back(column.name);
  file << csv_line(table.source, names);
  for (const Row& row : rows) file << csv_line(table.source, row);
}

template <class Number>
ParquetCell stored(const std::optional<Number>& value) {
  if (!value) return std::nullopt;
  return std::string(reinterpret_cast<const char*>(&*value), sizeof *value);
}

std::optional<double> any_real(const std::string& text) {
  if (text == "nan") return std::nan("5");
  if (text == "inf" || text == "-inf") return text == "inf" ? HUGE_VAL : -HUGE_VAL;
  return engine::real_cell(text);
}

std::optional<std::int32_t> any_day(const std::string& text) {
  if (text == "infinity" || text == "10000-01-01") return text == "infinity" ? INT32_MAX : 2'932'897;
  const std::optional<query::Day> day = engine::date_cell(text);
  return day ? std::optional(day->number) : std::nullopt;
}

ParquetCell parquet_cell(Type type, const Cell& cell) {
  if (!cell) return std::nullopt;
  switch (type) {
    case Type::boolean:
      return stored(engine::boolean_cell(*cell));
    case Type::integer:
      return stored(engine::integer_cell(*cell));
    case Type::real:
      return stored(any_real(*cell));
    case Type::date:
      return stored(any_day(*cell));
    case Type::string:
      break;
  }
  return *cell;
}

ParquetKind parquet_kind(Type type) {
  using testing::ParquetConverted;
  switch (type) {
    case Type::boolean:
      return {.name = "BOOLEAN", .physical = ParquetPhysical::boolean};
    case Type::integer:
      return {.name = "INT64", .physical = ParquetPhysical::int64};
    case Type::real:
      return {.name = "DOUBLE", .physical = ParquetPhysical::real64};
    case Type::date:
      return {.name = "DATE", .physical = ParquetPhysical::int32, .converted = ParquetConverted::date};
    case Type::string:
      break;
  }
  return {.name = "UTF8", .physical = ParquetPhysical::bytes, .converted = ParquetConverted::utf8};
}

void write_parquet(const std::filesystem::path& path, const query::Table& table, const std::vector<Row>& rows) {
  std::vector<ParquetColumnData> columns;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const Type type = table.columns[i].type;
    ParquetColumnData& column = columns.emplace_back(ParquetColumnData{table.columns[i].name, parquet_kind(type), {}});
    column.has_dictionary = i % 2 == 0;
    column.has_statistics = rows.size() % 2 == 0;
    for (const Row& row : rows) column.cells.push_back(parquet_cell(type, row[i]));
  }
  std::ofstream(path, std::ios::binary) << testing::parquet_file(columns, 20);
}

std::shared_ptr<const engine::ArrowTable> rows_in_memory(const query::Table& table, const std::vector<Row>& rows) {
  testing::ArrowBatch batch;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    testing::Cells<std::string> cells;
    for (const Row& row : rows) cells.push_back(row[i]);
    const bool is_view = i % 2 == 0;
    batch.push_back(is_view ? testing::arrow_views(table.columns[i].name, cells)
                            : testing::arrow_texts(table.columns[i].name, cells));
  }
  return testing::arrow_table({batch});
}

}  // namespace

void write_source(const std::filesystem::path& folder, const query::Table& table, const std::vector<Row>& rows,
                  engine::MemoryTables& memory) {
  const std::filesystem::path path = folder / table.source.path;
  if (table.source.kind == SourceKind::csv) return write_csv(path, table, rows);
  if (table.source.kind == SourceKind::parquet) return write_parquet(path, table, rows);
  memory[table.name] = rows_in_memory(table, rows);
}

}  // namespace vernier::twin
