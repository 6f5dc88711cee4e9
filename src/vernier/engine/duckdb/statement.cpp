#include "vernier/engine/duckdb/statement.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <span>
#include <string>
#include <thread>

#include "vernier/engine/duckdb/types.hpp"
#include "vernier/random/wipe.hpp"

namespace vernier::engine {
namespace {

using query::Type;
using query::Value;

struct ChunkDeleter {
  void operator()(duckdb_data_chunk chunk) const { duckdb_destroy_data_chunk(&chunk); }
};
using Chunk = std::unique_ptr<std::remove_pointer_t<duckdb_data_chunk>, ChunkDeleter>;

// A list of structs of two BIGINTs.
bool is_histogram(duckdb_result& result, idx_t column) {
  const LogicalType list(duckdb_column_logical_type(&result, column));
  if (duckdb_get_type_id(list.get()) != DUCKDB_TYPE_LIST) return false;
  const LogicalType entry(duckdb_list_type_child_type(list.get()));
  if (duckdb_get_type_id(entry.get()) != DUCKDB_TYPE_STRUCT || duckdb_struct_type_child_count(entry.get()) != 2) {
    return false;
  }
  const LogicalType point(duckdb_struct_type_child_type(entry.get(), 0));
  const LogicalType rows(duckdb_struct_type_child_type(entry.get(), 1));
  return duckdb_get_type_id(point.get()) == DUCKDB_TYPE_BIGINT && duckdb_get_type_id(rows.get()) == DUCKDB_TYPE_BIGINT;
}

bool has_form(duckdb_result& result, const plan::Sql& sql) {
  const std::size_t keys = sql.has_cells ? 1 : sql.key_types.size();
  if (duckdb_column_count(&result) != keys + sql.tallies + sql.histograms) return false;
  for (std::size_t i = 0; i < keys + sql.tallies; ++i) {
    const Type type = i < sql.key_types.size() ? sql.key_types[i] : Type::integer;
    if (duckdb_column_type(&result, i) != stored_type(type)) return false;
  }
  for (std::size_t i = 0; i < sql.histograms; ++i) {
    if (!is_histogram(result, keys + sql.tallies + i)) return false;
  }
  return true;
}

bool has_no_null(duckdb_vector column, idx_t rows) {
  std::uint64_t* const validity = duckdb_vector_get_validity(column);
  for (idx_t row = 0; validity != nullptr && row < rows; ++row) {
    if (!duckdb_validity_row_is_valid(validity, row)) return false;
  }
  return true;
}

template <class Stored>
Stored stored_at(duckdb_vector column, idx_t row) {
  return static_cast<Stored*>(duckdb_vector_get_data(column))[row];
}

Value value_at(duckdb_vector column, Type type, idx_t row) {
  switch (type) {
    case Type::boolean:
      return stored_at<bool>(column, row);
    case Type::integer:
      return stored_at<std::int64_t>(column, row);
    case Type::real:
      return stored_at<double>(column, row);
    case Type::date:
      return query::Day{stored_at<duckdb_date>(column, row).days};
    case Type::string:
      break;
  }
  auto text = stored_at<duckdb_string_t>(column, row);
  return std::string(duckdb_string_t_data(&text), duckdb_string_t_length(text));
}

// By its points. The engine has no NULL in it, since no form of the statement makes one.
std::vector<noise::Occupied> histogram_at(duckdb_vector lists, idx_t row) {
  const auto [first, length] = stored_at<duckdb_list_entry>(lists, row);
  const duckdb_vector entries = duckdb_list_vector_get_child(lists);
  const duckdb_vector points = duckdb_struct_vector_get_child(entries, 0);
  const duckdb_vector counts = duckdb_struct_vector_get_child(entries, 1);
  std::vector<noise::Occupied> all;
  all.reserve(length);
  for (idx_t i = first; i < first + length; ++i) {
    all.push_back({stored_at<std::int64_t>(points, i), stored_at<std::int64_t>(counts, i)});
  }
  std::sort(all.begin(), all.end(),
            [](const noise::Occupied& a, const noise::Occupied& b) { return a.point < b.point; });
  return all;
}

// Nothing grows, and so leaves exact numbers in memory that it gives back.
RawGroup read_group(const std::vector<duckdb_vector>& columns, const plan::Sql& sql, idx_t row) {
  RawGroup group;
  group.keys.reserve(sql.key_types.size());
  group.tallies.reserve(sql.tallies);
  group.histograms.reserve(sql.histograms);
  std::size_t next = 0;
  if (sql.has_cells) group.cell = stored_at<std::int64_t>(columns[next++], row);
  for (const Type type : sql.key_types) group.keys.push_back(value_at(columns[next++], type, row));
  for (std::size_t i = 0; i < sql.tallies; ++i) group.tallies.push_back(stored_at<std::int64_t>(columns[next++], row));
  for (std::size_t i = 0; i < sql.histograms; ++i) {
    std::vector<noise::Occupied> found = histogram_at(columns[next++], row);
    if (sql.packing[i] == 0) {
      group.histograms.push_back(std::move(found));
    } else {
      group.histograms.push_back(weighed(found, sql.packing[i]));
      random::wipe(std::as_writable_bytes(std::span(found)));
    }
  }
  return group;
}

bool read_chunk(duckdb_data_chunk chunk, const plan::Sql& sql, std::vector<RawGroup>& groups) {
  const idx_t rows = duckdb_data_chunk_get_size(chunk);
  std::vector<duckdb_vector> columns;
  for (idx_t i = 0; i < duckdb_data_chunk_get_column_count(chunk); ++i) {
    columns.push_back(duckdb_data_chunk_get_vector(chunk, i));
    if (!has_no_null(columns.back(), rows)) return false;
  }
  for (idx_t row = 0; row < rows; ++row) groups.push_back(read_group(columns, sql, row));
  return true;
}

}  // namespace

std::optional<std::vector<RawGroup>> read_groups(duckdb_result& result, const plan::Sql& sql) {
  if (!has_form(result, sql)) return std::nullopt;
  std::vector<RawGroup> groups;
  while (const Chunk chunk{duckdb_fetch_chunk(result)}) {
    if (!read_chunk(chunk.get(), sql, groups)) return std::nullopt;
  }
  return groups;
}

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds between_reports{50};
constexpr std::chrono::microseconds short_wait{200};

Failure failed() { return failed_run(); }

struct Prepared {
  Prepared() = default;
  Prepared(const Prepared&) = delete;
  Prepared& operator=(const Prepared&) = delete;
  ~Prepared() { duckdb_destroy_prepare(&handle); }
  duckdb_prepared_statement handle = nullptr;
};

struct Pending {
  Pending() = default;
  Pending(const Pending&) = delete;
  Pending& operator=(const Pending&) = delete;
  ~Pending() { duckdb_destroy_pending(&handle); }
  duckdb_pending_result handle = nullptr;
};

struct Answer {
  Answer() = default;
  Answer(const Answer&) = delete;
  Answer& operator=(const Answer&) = delete;
  ~Answer() { duckdb_destroy_result(&handle); }
  duckdb_result handle{};
};

// Tells at most every 50 ms how far the statement is, and never less than before.
class Watch {
 public:
  Watch(duckdb_connection connection, const Progress& progress) : connection_(connection), progress_(progress) {}

  // Whether to go on.
  bool look() {
    const Clock::time_point now = Clock::now();
    if (now < next_) return true;
    next_ = now + between_reports;
    done_ = std::max(done_, std::clamp(duckdb_query_progress(connection_).percentage / 100, 0.0, 1.0));
    return progress_(done_);
  }

 private:
  duckdb_connection connection_;
  const Progress& progress_;
  Clock::time_point next_ = Clock::now() + between_reports;
  double done_ = 0;
};

bool bind(duckdb_prepared_statement statement, const plan::Sql& sql, const Secret& secret) {
  if (!sql.has_secret) return true;
  return duckdb_bind_int64(statement, 1, secret[0]) == DuckDBSuccess &&
         duckdb_bind_int64(statement, 2, secret[1]) == DuckDBSuccess;
}

enum class End : std::uint8_t { ready, failed, stopped };

// This thread works on the statement as those of the engine do, and looks up between two pieces of work.
End work(duckdb_pending_result pending, duckdb_connection connection, const Progress& progress) {
  Watch watch(connection, progress);
  bool stopped = false;
  while (true) {
    const duckdb_pending_state state = duckdb_pending_execute_task(pending);
    if (state == DUCKDB_PENDING_ERROR) return stopped ? End::stopped : End::failed;
    if (state == DUCKDB_PENDING_RESULT_READY) return stopped ? End::stopped : End::ready;
    if (state == DUCKDB_PENDING_NO_TASKS_AVAILABLE) std::this_thread::sleep_for(short_wait);
    if (stopped || watch.look()) continue;
    stopped = true;
    duckdb_interrupt(connection);
  }
}

// The answer of a statement that runs to its end.
Result<void> execute(duckdb_connection connection, const plan::Sql& sql, const Secret& secret, const Progress& progress,
                     Answer& answer) {
  if (!progress(0)) return stopped_run();
  Prepared statement;
  Pending pending;
  if (duckdb_prepare(connection, sql.text.c_str(), &statement.handle) != DuckDBSuccess ||
      !bind(statement.handle, sql, secret) ||
      duckdb_pending_prepared(statement.handle, &pending.handle) != DuckDBSuccess) {
    return failed();
  }
  const End end = work(pending.handle, connection, progress);
  if (end == End::stopped) return stopped_run();
  if (end == End::failed || duckdb_execute_pending(pending.handle, &answer.handle) != DuckDBSuccess) return failed();
  return {};
}

}  // namespace

Result<RawAggregates> run_statement(duckdb_connection connection, const plan::Sql& sql, const Secret& secret,
                                    const Progress& progress) {
  Answer answer;
  VERNIER_TRY(execute(connection, sql, secret, progress, answer));
  std::optional<std::vector<RawGroup>> groups = read_groups(answer.handle, sql);
  if (!groups) return failed();
  progress(1);
  return RawAggregates(*std::move(groups));
}

namespace {

bool has_types(duckdb_result& result, const std::vector<Type>& types) {
  if (duckdb_column_count(&result) != types.size()) return false;
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (duckdb_column_type(&result, i) != stored_type(types[i])) return false;
  }
  return true;
}

void add_row(duckdb_data_chunk chunk, const std::vector<Type>& types, idx_t row, Cells& cells) {
  std::vector<Cell>& made = cells.rows.emplace_back();
  for (std::size_t i = 0; i < types.size(); ++i) {
    const duckdb_vector column = duckdb_data_chunk_get_vector(chunk, i);
    made.push_back(has_value(duckdb_vector_get_validity(column), row) ? Cell(value_at(column, types[i], row)) : Cell());
  }
}

}  // namespace

Result<Cells> read_cells(duckdb_connection connection, const std::string& sql, const std::vector<query::Type>& types,
                         std::size_t most_rows, const Progress& progress) {
  Answer answer;
  VERNIER_TRY(execute(connection, {sql, false, false, {}, 0}, {}, progress, answer));
  if (!has_types(answer.handle, types)) return failed();
  Cells cells;
  while (const Chunk chunk{duckdb_fetch_chunk(answer.handle)}) {
    const idx_t rows = duckdb_data_chunk_get_size(chunk.get());
    if (rows > most_rows - cells.rows.size()) return failed();
    for (idx_t row = 0; row < rows; ++row) add_row(chunk.get(), types, row, cells);
  }
  return cells;
}

Result<void> run_through(duckdb_connection connection, const std::string& sql, const Progress& progress) {
  Answer ignored;
  return execute(connection, {sql, false, false, {}, 0}, {}, progress, ignored);
}

}  // namespace vernier::engine
