#include "vernier/engine/duckdb_groups.hpp"

#include <algorithm>
#include <memory>
#include <span>
#include <string>

#include "vernier/engine/duckdb_held_state.hpp"
#include "vernier/engine/duckdb_types.hpp"
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

// Of weighted rows: their weights in place of their number, each point once. What leaves 62 bits stays at their end,
// which no statistic takes.
std::vector<noise::Occupied> weighed(const std::vector<noise::Occupied>& packed, std::int64_t packing) {
  constexpr query::Int128 most = query::Int128{1} << 62;
  std::vector<noise::Occupied> all;
  all.reserve(packed.size());
  for (const noise::Occupied& one : packed) {
    const std::int64_t point = one.point / packing;
    const query::Int128 weight = query::Int128{one.rows} * (one.point % packing);
    if (weight == 0) continue;
    if (all.empty() || all.back().point != point) all.push_back({point, 0});
    all.back().rows = static_cast<std::int64_t>(std::min(weight + all.back().rows, most));
  }
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

}  // namespace vernier::engine
