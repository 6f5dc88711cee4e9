#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "vernier/engine/cells.hpp"
#include "vernier/engine/csv/rows.hpp"
#include "vernier/engine/duckdb/cell_output.hpp"
#include "vernier/engine/duckdb/sources.hpp"
#include "vernier/engine/duckdb/types.hpp"
#include "vernier/engine/json/line.hpp"
#include "vernier/query/quote.hpp"

namespace vernier::engine {
namespace {

using query::Type;

// Bytes of a file that one thread reads at a time; the rows that begin in them are its own.
constexpr std::int64_t stretch = std::int64_t{1} << 20;

// Rows that are read at once; the engine's vectors have this many. Fewer where they are long, so that what is copied
// of them is not much more than the longest one.
constexpr idx_t most_at_once = 2048;
constexpr std::size_t most_bytes_at_once = longest_row;

struct DeclaredColumn {
  std::string name;
  Type type;
  std::optional<query::CellFormat> format;       // none: the usual one
  std::optional<query::CellFormat> bare_format;  // of numbers and words in JSON
};

// What the function of a table reads.
struct Table {
  std::vector<SourceFile> files;
  std::vector<DeclaredColumn> columns;
  std::shared_ptr<BytesRead> progress;
};

// A column that a statement asks for, and where it goes.
struct Asked {
  const DeclaredColumn* column;
  std::size_t place;  // in a row of the file
  idx_t output;
};

// Bytes of a file of the table.
struct Stretch {
  std::size_t file;
  std::int64_t first, last;
};

// One run of a statement over the rows.
struct Scan {
  std::vector<std::vector<Asked>> asked;  // of each file, in its order
  std::vector<idx_t> unknown;             // outputs that are none of our columns, such as a number of the row
  std::vector<Stretch> stretches;
  std::atomic<std::size_t> next = 0;
};

std::vector<std::string> names_of(const Table& table) {
  std::vector<std::string> names;
  for (const DeclaredColumn& column : table.columns) names.push_back(column.name);
  return names;
}

// What one thread has at hand.
struct Reader {
  explicit Reader(const Table& table) : json(names_of(table)) {}
  std::size_t file = 0;         // that `rows` are of
  std::optional<CsvRows> rows;  // none before the first stretch
  JsonLine json;
  std::string text;    // of a cell with quotes or escapes in it
  std::string number;  // that is written in another way
};

template <class Held>
void delete_held(void* held) {
  delete static_cast<Held*>(held);
}

std::int64_t bytes_of(const Table& table) {
  std::int64_t bytes = 0;
  for (const SourceFile& file : table.files) bytes += file.csv->end() - file.csv->first_row();
  return bytes;
}

void bind(duckdb_bind_info info) {
  constexpr std::int64_t bytes_of_a_row = 40;  // about; it decides which side of a join is held in memory
  const Table& table = *static_cast<const Table*>(duckdb_bind_get_extra_info(info));
  for (const DeclaredColumn& column : table.columns) {
    duckdb_logical_type type = duckdb_create_logical_type(stored_type(column.type));
    duckdb_bind_add_result_column(info, column.name.c_str(), type);
    duckdb_destroy_logical_type(&type);
  }
  duckdb_bind_set_cardinality(info, static_cast<idx_t>(bytes_of(table) / bytes_of_a_row), false);
}

// A row with line breaks can only be found from the row before it.
void add_stretches(const CsvFile& file, std::size_t number, std::vector<Stretch>& stretches) {
  const std::int64_t length = file.format().line_breaks ? file.end() - file.first_row() : stretch;
  for (std::int64_t first = file.first_row(); first < file.end(); first += length)
    stretches.push_back({number, first, std::min(first + length, file.end())});
}

// The columns that are asked for, in the order of the file.
std::vector<Asked> asked_of(const Table& table, const SourceFile& file, const std::vector<idx_t>& outputs) {
  std::vector<Asked> asked;
  for (idx_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i] < table.columns.size()) asked.push_back({&table.columns[outputs[i]], file.places[outputs[i]], i});
  }
  std::sort(asked.begin(), asked.end(), [](const Asked& a, const Asked& b) { return a.place < b.place; });
  return asked;
}

void begin(duckdb_init_info info) {
  const Table& table = *static_cast<const Table*>(duckdb_init_get_extra_info(info));
  auto scan = std::make_unique<Scan>();
  std::vector<idx_t> outputs;
  for (idx_t i = 0; i < duckdb_init_get_column_count(info); ++i) {
    outputs.push_back(duckdb_init_get_column_index(info, i));
    if (outputs.back() >= table.columns.size()) scan->unknown.push_back(i);
  }
  for (std::size_t i = 0; i < table.files.size(); ++i) {
    scan->asked.push_back(asked_of(table, table.files[i], outputs));
    add_stretches(*table.files[i].csv, i, scan->stretches);
  }
  duckdb_init_set_max_threads(info, std::max<idx_t>(1, scan->stretches.size()));
  duckdb_init_set_init_data(info, scan.release(), delete_held<Scan>);
}

void begin_thread(duckdb_init_info info) {
  const Table& table = *static_cast<const Table*>(duckdb_init_get_extra_info(info));
  duckdb_init_set_init_data(info, new Reader(table), delete_held<Reader>);
}

void put_text(std::string_view text, const Asked& asked, const std::optional<query::CellFormat>& format, idx_t row,
              Reader& reader, CellOutput& output) {
  if (format)
    output.put(text, asked.column->type, *format, reader.number, row);
  else
    output.put(text, asked.column->type, row);
}

// A cell that is not there, or whose quotes do not close, has an empty text: NULL in every type.
std::string_view text_of(const CsvCell& cell, std::string& room) {
  if (!cell.is_doubled) return cell.text;
  room.clear();
  append_single(cell.text, room);
  return room;
}

void put_cells(std::string_view line, const std::vector<Asked>& columns, const CsvFormat& format, idx_t row,
               Reader& reader, std::vector<CellOutput>& outputs) {
  std::size_t place = 0;
  CsvCell cell;
  for (const Asked& asked : columns) {
    for (; place <= asked.place; ++place) cell = has_cell(line) ? take_cell(line, format) : CsvCell();
    put_text(text_of(cell, reader.text), asked, asked.column->format, row, reader, outputs[asked.output]);
  }
}

void put_members(std::string_view line, const std::vector<Asked>& columns, idx_t row, Reader& reader,
                 std::vector<CellOutput>& outputs) {
  reader.json.read(line);
  for (const Asked& asked : columns) {
    const JsonCell& cell = reader.json.cells()[asked.place];
    CellOutput& output = outputs[asked.output];
    if (cell.kind == JsonCell::Kind::bare) {
      put_text(cell.text, asked, asked.column->bare_format, row, reader, output);
      continue;
    }
    reader.text.clear();
    if (cell.is_escaped) append_unescaped(cell.text, reader.text);
    const bool is_text = cell.kind == JsonCell::Kind::text;
    const std::string_view text = cell.is_escaped ? std::string_view(reader.text) : cell.text;
    put_text(is_text ? text : std::string_view(), asked, asked.column->format, row, reader, output);
  }
}

// The next row of this thread, in one stretch after another.
bool next_row(const Table& table, Scan& scan, Reader& reader, std::string_view& line) {
  while (!reader.rows || !reader.rows->next(line)) {
    if (reader.rows && reader.rows->has_failed()) return false;
    const std::size_t next = scan.next.fetch_add(1);
    if (next >= scan.stretches.size()) return false;
    const auto& [file, first, last] = scan.stretches[next];
    if (!reader.rows || reader.file != file) reader.rows.emplace(*table.files[file].csv);
    reader.file = file;
    reader.rows->begin(first, last);
    *table.progress += last - first;
  }
  return true;
}

// The next rows of this thread, none at the end.
void read(duckdb_function_info info, duckdb_data_chunk chunk) {
  const Table& table = *static_cast<const Table*>(duckdb_function_get_extra_info(info));
  Scan& scan = *static_cast<Scan*>(duckdb_function_get_init_data(info));
  Reader& reader = *static_cast<Reader*>(duckdb_function_get_local_init_data(info));
  std::vector<CellOutput> outputs;
  for (idx_t i = 0; i < duckdb_data_chunk_get_column_count(chunk); ++i)
    outputs.emplace_back(duckdb_data_chunk_get_vector(chunk, i));
  idx_t count = 0;
  std::string_view line;
  for (std::size_t bytes = 0; count < most_at_once && bytes < most_bytes_at_once; ++count, bytes += line.size()) {
    if (!next_row(table, scan, reader, line)) break;
    const std::vector<Asked>& asked = scan.asked[reader.file];
    const CsvFormat& format = table.files[reader.file].csv->format();
    format.is_json ? put_members(line, asked, count, reader, outputs)
                   : put_cells(line, asked, format, count, reader, outputs);
    for (const idx_t output : scan.unknown) outputs[output].put_null(count);
  }
  if (reader.rows && reader.rows->has_failed()) duckdb_function_set_error(info, "the file cannot be read to its end");
  duckdb_data_chunk_set_size(chunk, count);
}

std::string function_name(const query::Table& table) { return "csv of " + table.name; }

}  // namespace

std::string csv_function(const query::Table& table) { return query::quoted_identifier(function_name(table)); }

bool register_csv(duckdb_connection connection, const query::Table& table, const SourceColumns& source,
                  std::shared_ptr<BytesRead> progress) {
  auto read_from = std::make_unique<Table>(Table{source.files, {}, std::move(progress)});
  for (const query::Column& column : table.columns) {
    DeclaredColumn declared{column.name, column.type, {}, {}};
    if (!column.format.is_usual()) {
      declared.format = column.format;
      declared.bare_format = bare_format(column.format);
    }
    read_from->columns.push_back(std::move(declared));
  }
  duckdb_table_function function = duckdb_create_table_function();
  duckdb_table_function_set_name(function, function_name(table).c_str());
  duckdb_table_function_set_extra_info(function, read_from.release(), delete_held<Table>);
  duckdb_table_function_set_bind(function, bind);
  duckdb_table_function_set_init(function, begin);
  duckdb_table_function_set_local_init(function, begin_thread);
  duckdb_table_function_set_function(function, read);
  duckdb_table_function_supports_projection_pushdown(function, true);
  const bool done = duckdb_register_table_function(connection, function) == DuckDBSuccess;
  duckdb_destroy_table_function(&function);
  return done;
}

}  // namespace vernier::engine
