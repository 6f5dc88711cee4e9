#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "vernier/core/utf8.hpp"
#include "vernier/engine/arrow/column.hpp"
#include "vernier/engine/arrow/entries.hpp"
#include "vernier/engine/duckdb/sources.hpp"
#include "vernier/engine/duckdb/types.hpp"
#include "vernier/engine/duckdb/views.hpp"
#include "vernier/plan/render/sql.hpp"

namespace vernier::engine {
namespace {

using query::Type;

// Rows of one batch that one thread reads, as many as a row group of the engine has.
struct Stretch {
  std::size_t batch;
  std::int64_t first;
  std::int64_t last;
};
constexpr std::int64_t longest_stretch = 122'880;

// Rows that are read at once; the engine's vectors have this many.
constexpr std::int64_t most_at_once = 2048;

struct DeclaredColumn {
  std::string name;
  Type type;
  ArrowColumn values;
};

// What the function of a table reads.
struct Rows {
  std::shared_ptr<const ArrowTable> table;
  std::vector<DeclaredColumn> columns;
  std::vector<Stretch> stretches;
};

// One run of a statement over the rows.
struct Scan {
  std::vector<idx_t> asked;  // places in Rows::columns
  std::atomic<std::size_t> next = 0;
};

template <class Held>
void delete_held(void* held) {
  delete static_cast<Held*>(held);
}

std::vector<Stretch> stretches_of(const ArrowTable& table) {
  std::vector<Stretch> stretches;
  for (std::size_t batch = 0; batch < table.batches().size(); ++batch) {
    const std::int64_t rows = table.batches()[batch].length;
    for (std::int64_t first = 0; first < rows; first += longest_stretch)
      stretches.push_back({batch, first, std::min(rows, first + longest_stretch)});
  }
  return stretches;
}

void bind(duckdb_bind_info info) {
  const Rows& rows = *static_cast<const Rows*>(duckdb_bind_get_extra_info(info));
  for (const DeclaredColumn& column : rows.columns) {
    duckdb_logical_type type = duckdb_create_logical_type(stored_type(column.type));
    duckdb_bind_add_result_column(info, column.name.c_str(), type);
    duckdb_destroy_logical_type(&type);
  }
  duckdb_bind_set_cardinality(info, static_cast<idx_t>(rows.table->rows()), true);
}

void begin(duckdb_init_info info) {
  const Rows& rows = *static_cast<const Rows*>(duckdb_init_get_extra_info(info));
  auto scan = std::make_unique<Scan>();
  for (idx_t i = 0; i < duckdb_init_get_column_count(info); ++i)
    scan->asked.push_back(duckdb_init_get_column_index(info, i));
  duckdb_init_set_max_threads(info, std::max<idx_t>(1, rows.stretches.size()));
  duckdb_init_set_init_data(info, scan.release(), delete_held<Scan>);
}

// Of a thread: what it has still to read, and of each column that is asked for the entries of its dictionary.
struct Reader {
  explicit Reader(std::size_t columns) : entries(columns) {}
  Stretch stretch{0, 0, 0};
  std::vector<Entries<duckdb_string_t>> entries;
};

void begin_thread(duckdb_init_info info) {
  const Rows& rows = *static_cast<const Rows*>(duckdb_init_get_extra_info(info));
  duckdb_init_set_init_data(info, new Reader(rows.columns.size()), delete_held<Reader>);
}

// Text that is no UTF-8, or that no vector can hold, is NULL. The rows outlive every statement, so that nothing is
// copied.
void point_to_texts(const ArrowArray& values, ArrowKind kind, Positions positions, duckdb_string_t* out) {
  constexpr std::size_t longest = std::numeric_limits<std::uint32_t>::max();
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const auto text = positions[i] == no_value ? std::nullopt : text_at(values, kind, positions[i]);
    const bool is_there = text && text->size() <= longest && is_utf8(*text);
    out[i] = string_of(is_there ? *text : std::string_view());
    if (!is_there) positions[i] = no_value;
  }
}

// Those of a dictionary whose entries were looked at before.
void point_to_entries(const Entries<duckdb_string_t>& entries, Positions positions, duckdb_string_t* out) {
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const duckdb_string_t* const text = positions[i] == no_value ? nullptr : entries.at(positions[i]);
    out[i] = text == nullptr ? duckdb_string_t{} : *text;
    if (text == nullptr) positions[i] = no_value;
  }
}

// Values of other kinds as text, which the engine's vector keeps.
void write_texts(const ArrowArray& values, ArrowKind kind, Positions positions, duckdb_vector output) {
  std::vector<std::string> texts(positions.size());
  read_texts(values, kind, positions, texts.data());
  for (std::size_t i = 0; i < texts.size(); ++i)
    duckdb_vector_assign_string_element_len(output, i, texts[i].data(), texts[i].size());
}

void read_texts_of(const DeclaredColumn& column, const ArrowArray& values, std::int64_t rows, Positions positions,
                   Entries<duckdb_string_t>& entries, duckdb_string_t* out) {
  const auto point = [&](Positions to, duckdb_string_t* made) {
    point_to_texts(values, column.values.kind(), to, made);
  };
  entries.hold(column.values, values, rows, point) ? point_to_entries(entries, positions, out) : point(positions, out);
}

void read_values(const DeclaredColumn& column, const ArrowArray& values, std::int64_t rows, Positions positions,
                 Entries<duckdb_string_t>& entries, duckdb_vector output) {
  const ArrowKind kind = column.values.kind();
  void* const data = duckdb_vector_get_data(output);
  switch (column.type) {
    case Type::boolean:
      return read_booleans(values, kind, positions, static_cast<bool*>(data));
    case Type::integer:
      return read_integers(values, kind, positions, static_cast<std::int64_t*>(data));
    case Type::real:
      return read_reals(values, kind, positions, static_cast<double*>(data));
    case Type::string:
      if (!is_text(kind)) return write_texts(values, kind, positions, output);
      return read_texts_of(column, values, rows, positions, entries, static_cast<duckdb_string_t*>(data));
    case Type::date:
      return read_days(values, kind, positions, static_cast<std::int32_t*>(data));
  }
}

void mark_nulls(Positions positions, duckdb_vector output) {
  if (std::find(positions.begin(), positions.end(), no_value) == positions.end()) return;
  duckdb_vector_ensure_validity_writable(output);
  std::uint64_t* const valid = duckdb_vector_get_validity(output);
  for (std::size_t i = 0; i < positions.size(); ++i) {
    if (positions[i] == no_value) duckdb_validity_set_row_invalid(valid, i);
  }
}

// A column that is none of ours, such as a number of the row, has no values.
void read_column(const Rows& rows, idx_t place, Reader& reader, std::int64_t count, duckdb_vector output) {
  std::array<std::int64_t, most_at_once> room;
  const Positions positions(room.data(), static_cast<std::size_t>(count));
  std::fill(positions.begin(), positions.end(), no_value);
  if (place < rows.columns.size()) {
    const DeclaredColumn& column = rows.columns[place];
    const auto [batch, first, last] = reader.stretch;
    const std::int64_t together = std::min(longest_stretch, rows.table->batches()[batch].length);
    column.values.find(batch, first, positions);
    read_values(column, column.values.values(batch), together, positions, reader.entries[place], output);
  }
  mark_nulls(positions, output);
}

// The next rows of this thread, none at the end.
void read(duckdb_function_info info, duckdb_data_chunk output) {
  const Rows& rows = *static_cast<const Rows*>(duckdb_function_get_extra_info(info));
  Scan& scan = *static_cast<Scan*>(duckdb_function_get_init_data(info));
  Reader& reader = *static_cast<Reader*>(duckdb_function_get_local_init_data(info));
  Stretch& stretch = reader.stretch;
  if (stretch.first == stretch.last) {
    const std::size_t next = scan.next.fetch_add(1);
    if (next >= rows.stretches.size()) return duckdb_data_chunk_set_size(output, 0);
    stretch = rows.stretches[next];
  }
  const std::int64_t count = std::min(most_at_once, stretch.last - stretch.first);
  for (idx_t i = 0; i < scan.asked.size(); ++i)
    read_column(rows, scan.asked[i], reader, count, duckdb_data_chunk_get_vector(output, i));
  duckdb_data_chunk_set_size(output, static_cast<idx_t>(count));
  stretch.first += count;
}

bool register_rows(duckdb_connection connection, const std::string& name, std::unique_ptr<Rows> rows) {
  duckdb_table_function function = duckdb_create_table_function();
  duckdb_table_function_set_name(function, name.c_str());
  duckdb_table_function_set_extra_info(function, rows.release(), delete_held<Rows>);
  duckdb_table_function_set_bind(function, bind);
  duckdb_table_function_set_init(function, begin);
  duckdb_table_function_set_local_init(function, begin_thread);
  duckdb_table_function_set_function(function, read);
  duckdb_table_function_supports_projection_pushdown(function, true);
  const bool done = duckdb_register_table_function(connection, function) == DuckDBSuccess;
  duckdb_destroy_table_function(&function);
  return done;
}

}  // namespace

bool create_memory_view(duckdb_connection connection, const std::string& name, const query::Table& table,
                        const SourceColumns& source) {
  auto rows = std::make_unique<Rows>(Rows{source.rows, {}, stretches_of(*source.rows)});
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const Result<ArrowColumn> values = ArrowColumn::of(*source.rows, source.places[i]);
    if (!values) return false;
    rows->columns.push_back({table.columns[i].name, table.columns[i].type, *values});
  }
  const std::string view = "CREATE VIEW " + plan::view_name(table) + " AS " + known_rows(table, name + "()");
  return register_rows(connection, name, std::move(rows)) &&
         duckdb_query(connection, view.c_str(), nullptr) == DuckDBSuccess;
}

}  // namespace vernier::engine
