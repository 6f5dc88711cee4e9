#include <algorithm>
#include <atomic>
#include <memory>
#include <utility>
#include <vector>

#include "vernier/core/utf8.hpp"
#include "vernier/engine/cells.hpp"
#include "vernier/engine/csv/rows.hpp"
#include "vernier/engine/duckdb/sources.hpp"
#include "vernier/engine/duckdb/types.hpp"
#include "vernier/query/quote.hpp"

namespace vernier::engine {
namespace {

using query::Type;

// Bytes of the file that one thread reads at a time; the rows that begin in them are its own.
constexpr std::int64_t stretch = std::int64_t{1} << 20;

// Rows that are read at once; the engine's vectors have this many. Fewer where they are long, so that what is copied
// of them is not much more than the longest one.
constexpr idx_t most_at_once = 2048;
constexpr std::size_t most_bytes_at_once = longest_row;

struct DeclaredColumn {
  std::string name;
  Type type;
  std::size_t place;  // in a row of the file
};

// What the function of a table reads.
struct Table {
  std::shared_ptr<const CsvFile> file;
  std::vector<DeclaredColumn> columns;
  std::shared_ptr<BytesRead> progress;
};

// A column that a statement asks for, and where it goes.
struct Asked {
  Type type;
  std::size_t place;
  idx_t output;
};

// One run of a statement over the rows.
struct Scan {
  std::vector<Asked> asked;    // in the order of the file
  std::vector<idx_t> unknown;  // outputs that are none of our columns, such as a number of the row
  std::atomic<std::int64_t> next;
};

// What one thread has at hand.
struct Reader {
  explicit Reader(const CsvFile& file) : rows(file) {}
  CsvRows rows;
  std::string text;  // of a cell with quotes in it
};

// A vector of the engine that is being filled.
class Output {
 public:
  explicit Output(duckdb_vector vector) : vector_(vector), data_(duckdb_vector_get_data(vector)) {}

  template <class Value>
  void put(idx_t row, const std::optional<Value>& value) {
    static_cast<Value*>(data_)[row] = value.value_or(Value{});
    if (!value) put_null(row);
  }

  void put_text(idx_t row, std::string_view text) {
    if (text.empty() || !is_utf8(text)) return put(row, std::optional<duckdb_string_t>());
    if (is_inlined(text)) return put(row, std::optional(string_of(text)));
    duckdb_unsafe_vector_assign_string_element_len(vector_, row, text.data(), text.size());
  }

  void put_null(idx_t row) {
    if (valid_ == nullptr) {
      duckdb_vector_ensure_validity_writable(vector_);
      valid_ = duckdb_vector_get_validity(vector_);
    }
    duckdb_validity_set_row_invalid(valid_, row);
  }

 private:
  duckdb_vector vector_;
  void* data_;
  std::uint64_t* valid_ = nullptr;
};

template <class Held>
void delete_held(void* held) {
  delete static_cast<Held*>(held);
}

void bind(duckdb_bind_info info) {
  constexpr std::int64_t bytes_of_a_row = 40;  // about; it decides which side of a join is held in memory
  const Table& table = *static_cast<const Table*>(duckdb_bind_get_extra_info(info));
  for (const DeclaredColumn& column : table.columns) {
    duckdb_logical_type type = duckdb_create_logical_type(stored_type(column.type));
    duckdb_bind_add_result_column(info, column.name.c_str(), type);
    duckdb_destroy_logical_type(&type);
  }
  const std::int64_t bytes = table.file->end() - table.file->first_row();
  duckdb_bind_set_cardinality(info, static_cast<idx_t>(bytes / bytes_of_a_row), false);
}

// A row with line breaks can only be found from the row before it.
std::int64_t stretch_of(const CsvFile& file) {
  return file.format().line_breaks ? std::max<std::int64_t>(1, file.end() - file.first_row()) : stretch;
}

void begin(duckdb_init_info info) {
  const Table& table = *static_cast<const Table*>(duckdb_init_get_extra_info(info));
  auto scan = std::make_unique<Scan>();
  scan->next = table.file->first_row();
  for (idx_t i = 0; i < duckdb_init_get_column_count(info); ++i) {
    const idx_t column = duckdb_init_get_column_index(info, i);
    if (column >= table.columns.size()) {
      scan->unknown.push_back(i);
      continue;
    }
    scan->asked.push_back({table.columns[column].type, table.columns[column].place, i});
  }
  std::sort(scan->asked.begin(), scan->asked.end(), [](const Asked& a, const Asked& b) { return a.place < b.place; });
  const std::int64_t bytes = table.file->end() - table.file->first_row();
  duckdb_init_set_max_threads(info, static_cast<idx_t>(1 + bytes / stretch_of(*table.file)));
  duckdb_init_set_init_data(info, scan.release(), delete_held<Scan>);
}

void begin_thread(duckdb_init_info info) {
  const Table& table = *static_cast<const Table*>(duckdb_init_get_extra_info(info));
  duckdb_init_set_init_data(info, new Reader(*table.file), delete_held<Reader>);
}

std::optional<std::int32_t> day_cell(std::string_view text) {
  const std::optional<query::Day> day = date_cell(text);
  return day ? std::optional(day->number) : std::nullopt;
}

void put_cell(std::string_view text, Type type, idx_t row, Output& output) {
  switch (type) {
    case Type::boolean:
      return output.put(row, boolean_cell(text));
    case Type::integer:
      return output.put(row, integer_cell(text));
    case Type::real:
      return output.put(row, real_cell(text));
    case Type::string:
      return output.put_text(row, text);
    case Type::date:
      return output.put(row, day_cell(text));
  }
}

// A cell that is not there, or whose quotes do not close, has an empty text: NULL in every type.
std::string_view text_of(const CsvCell& cell, std::string& room) {
  if (!cell.is_doubled) return cell.text;
  room.clear();
  append_single(cell.text, room);
  return room;
}

void put_row(std::string_view line, const Scan& scan, const CsvFormat& format, idx_t row, std::string& room,
             std::vector<Output>& outputs) {
  std::size_t place = 0;
  CsvCell cell;
  for (const Asked& asked : scan.asked) {
    for (; place <= asked.place; ++place) cell = has_cell(line) ? take_cell(line, format) : CsvCell();
    put_cell(text_of(cell, room), asked.type, row, outputs[asked.output]);
  }
}

// The next row of this thread, in one stretch after another.
bool next_row(const Table& table, Scan& scan, CsvRows& rows, std::string_view& line) {
  const CsvFile& file = *table.file;
  const std::int64_t length = stretch_of(file);
  while (!rows.next(line)) {
    const std::int64_t first = rows.has_failed() ? file.end() : scan.next.fetch_add(length);
    if (first >= file.end()) return false;
    const std::int64_t last = std::min(first + length, file.end());
    rows.begin(first, last);
    *table.progress += last - first;
  }
  return true;
}

// The next rows of this thread, none at the end.
void read(duckdb_function_info info, duckdb_data_chunk chunk) {
  const Table& table = *static_cast<const Table*>(duckdb_function_get_extra_info(info));
  Scan& scan = *static_cast<Scan*>(duckdb_function_get_init_data(info));
  Reader& reader = *static_cast<Reader*>(duckdb_function_get_local_init_data(info));
  std::vector<Output> outputs;
  for (idx_t i = 0; i < duckdb_data_chunk_get_column_count(chunk); ++i)
    outputs.emplace_back(duckdb_data_chunk_get_vector(chunk, i));
  idx_t count = 0;
  std::string_view line;
  for (std::size_t bytes = 0; count < most_at_once && bytes < most_bytes_at_once; ++count, bytes += line.size()) {
    if (!next_row(table, scan, reader.rows, line)) break;
    put_row(line, scan, table.file->format(), count, reader.text, outputs);
    for (const idx_t output : scan.unknown) outputs[output].put_null(count);
  }
  if (reader.rows.has_failed()) duckdb_function_set_error(info, "the file cannot be read to its end");
  duckdb_data_chunk_set_size(chunk, count);
}

std::string function_name(const query::Table& table) { return "csv of " + table.name; }

}  // namespace

std::string csv_function(const query::Table& table) { return query::quoted_identifier(function_name(table)); }

bool register_csv(duckdb_connection connection, const query::Table& table, const SourceColumns& source,
                  std::shared_ptr<BytesRead> progress) {
  auto read_from = std::make_unique<Table>(Table{source.csv, {}, std::move(progress)});
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    read_from->columns.push_back({table.columns[i].name, table.columns[i].type, source.places[i]});
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
