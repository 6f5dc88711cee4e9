#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "vernier/engine/cell_index.hpp"
#include "vernier/engine/duckdb/functions.hpp"
#include "vernier/engine/duckdb/types.hpp"

namespace vernier::engine {
namespace {

using query::Type;

struct CellFunction {
  CellIndex index;
  std::vector<Type> types;
};

bool is_valid(const std::uint64_t* validity, idx_t row) {
  return validity == nullptr || ((validity[row / 64] >> (row % 64)) & 1U) != 0;
}

// The keys of a column, as they are looked up.
template <Type type>
auto key_at(void* data, idx_t row) {
  if constexpr (type == Type::string) {
    auto* const texts = static_cast<duckdb_string_t*>(data) + row;
    return std::string_view(duckdb_string_t_data(texts), duckdb_string_t_length(*texts));
  } else if constexpr (type == Type::real) {
    return word_of_real(static_cast<const double*>(data)[row]);
  } else if constexpr (type == Type::date) {
    return std::int64_t{static_cast<const std::int32_t*>(data)[row]};
  } else if constexpr (type == Type::boolean) {
    return std::int64_t{static_cast<const bool*>(data)[row]};
  } else {
    return static_cast<const std::int64_t*>(data)[row];
  }
}

// Adds the place of the column's keys, times the stride, to the sums; a sum below 0 stays there.
template <Type type>
void add_places(const CellIndex& index, std::size_t key, duckdb_vector column, std::vector<std::int64_t>& sums) {
  using Stored = std::conditional_t<type == Type::string, std::string, std::int64_t>;
  const auto& places = std::get<KeyIndex<Stored>>(index.places(key));
  void* const data = duckdb_vector_get_data(column);
  const std::uint64_t* const validity = duckdb_vector_get_validity(column);
  for (idx_t row = 0; row < sums.size(); ++row) {
    const std::int32_t place = is_valid(validity, row) ? places.place_of(key_at<type>(data, row)) : not_declared;
    sums[row] = place == not_declared || sums[row] < 0 ? -1 : sums[row] + place * index.stride(key);
  }
}

void add_places(Type type, const CellIndex& index, std::size_t key, duckdb_vector column,
                std::vector<std::int64_t>& sums) {
  switch (type) {
    case Type::boolean:
      return add_places<Type::boolean>(index, key, column, sums);
    case Type::integer:
      return add_places<Type::integer>(index, key, column, sums);
    case Type::real:
      return add_places<Type::real>(index, key, column, sums);
    case Type::string:
      return add_places<Type::string>(index, key, column, sums);
    case Type::date:
      return add_places<Type::date>(index, key, column, sums);
  }
}

void cells_of(duckdb_function_info info, duckdb_data_chunk chunk, duckdb_vector output) {
  const auto& function = *static_cast<const CellFunction*>(duckdb_scalar_function_get_extra_info(info));
  std::vector<std::int64_t> sums(duckdb_data_chunk_get_size(chunk), 0);
  for (std::size_t key = 0; key < function.types.size(); ++key) {
    add_places(function.types[key], function.index, key, duckdb_data_chunk_get_vector(chunk, key), sums);
  }
  duckdb_vector_ensure_validity_writable(output);
  std::uint64_t* const valid = duckdb_vector_get_validity(output);
  auto* const cells = static_cast<std::int64_t*>(duckdb_vector_get_data(output));
  for (idx_t row = 0; row < sums.size(); ++row) {
    cells[row] = sums[row] < 0 ? -1 : function.index.cell_at(sums[row]);
    if (cells[row] < 0) duckdb_validity_set_row_invalid(valid, row);
  }
}

void add_parameter(duckdb_scalar_function function, Type type) {
  duckdb_logical_type stored = duckdb_create_logical_type(stored_type(type));
  duckdb_scalar_function_add_parameter(function, stored);
  duckdb_destroy_logical_type(&stored);
}

void delete_function(void* function) { delete static_cast<CellFunction*>(function); }

}  // namespace

bool register_cell_of(duckdb_connection connection, const plan::CellOf& made) {
  duckdb_scalar_function function = duckdb_create_scalar_function();
  duckdb_scalar_function_set_name(function, made.name().c_str());
  for (const Type type : made.types) add_parameter(function, type);
  duckdb_logical_type cell = duckdb_create_logical_type(DUCKDB_TYPE_BIGINT);
  duckdb_scalar_function_set_return_type(function, cell);
  duckdb_scalar_function_set_special_handling(function);
  auto held = std::make_unique<CellFunction>(CellFunction{CellIndex(made.cells), made.types});
  duckdb_scalar_function_set_extra_info(function, held.release(), delete_function);
  duckdb_scalar_function_set_function(function, cells_of);
  const bool done = duckdb_register_scalar_function(connection, function) == DuckDBSuccess;
  duckdb_destroy_logical_type(&cell);
  duckdb_destroy_scalar_function(&function);
  return done;
}

}  // namespace vernier::engine
