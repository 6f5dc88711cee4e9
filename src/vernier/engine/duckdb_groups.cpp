#include "vernier/engine/duckdb_groups.hpp"

#include <memory>
#include <string>

#include "vernier/engine/duckdb_types.hpp"

namespace vernier::engine {
namespace {

using query::Type;
using query::Value;

struct ChunkDeleter {
  void operator()(duckdb_data_chunk chunk) const { duckdb_destroy_data_chunk(&chunk); }
};
using Chunk = std::unique_ptr<std::remove_pointer_t<duckdb_data_chunk>, ChunkDeleter>;

bool has_form(duckdb_result& result, const plan::Sql& sql) {
  const std::size_t keys = sql.has_cells ? 1 : sql.key_types.size();
  if (duckdb_column_count(&result) != keys + sql.tallies) return false;
  for (std::size_t i = 0; i < keys + sql.tallies; ++i) {
    const Type type = i < sql.key_types.size() ? sql.key_types[i] : Type::integer;
    if (duckdb_column_type(&result, i) != stored_type(type)) return false;
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

RawGroup read_group(const std::vector<duckdb_vector>& columns, const plan::Sql& sql, idx_t row) {
  RawGroup group;
  std::size_t next = 0;
  if (sql.has_cells) group.cell = stored_at<std::int64_t>(columns[next++], row);
  for (const Type type : sql.key_types) group.keys.push_back(value_at(columns[next++], type, row));
  for (; next < columns.size(); ++next) group.tallies.push_back(stored_at<std::int64_t>(columns[next], row));
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
