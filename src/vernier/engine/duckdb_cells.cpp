#include "vernier/engine/duckdb_cells.hpp"

#include <optional>
#include <string_view>

#include "vernier/engine/cells.hpp"

namespace vernier::engine {
namespace {

using query::Type;

std::string name_of_reader(Type type) { return "cell_as_" + std::string(query::name_of(type)); }

std::string_view text_at(duckdb_string_t* texts, idx_t row) {
  return {duckdb_string_t_data(texts + row), duckdb_string_t_length(texts[row])};
}

// As the engine stores it.
std::int32_t stored(query::Day day) { return day.number; }
template <class Value>
Value stored(Value value) {
  return value;
}

template <auto read>
void read_cells(duckdb_function_info /*info*/, duckdb_data_chunk chunk, duckdb_vector output) {
  using Stored = decltype(stored(*read(std::string_view())));
  const duckdb_vector input = duckdb_data_chunk_get_vector(chunk, 0);
  auto* const texts = static_cast<duckdb_string_t*>(duckdb_vector_get_data(input));
  std::uint64_t* const present = duckdb_vector_get_validity(input);
  duckdb_vector_ensure_validity_writable(output);
  std::uint64_t* const valid = duckdb_vector_get_validity(output);
  auto* const values = static_cast<Stored*>(duckdb_vector_get_data(output));
  const idx_t rows = duckdb_data_chunk_get_size(chunk);
  for (idx_t row = 0; row < rows; ++row) {
    const bool is_null = present != nullptr && !duckdb_validity_row_is_valid(present, row);
    const auto value = is_null ? std::nullopt : read(text_at(texts, row));
    values[row] = value ? stored(*value) : Stored{};
    if (!value) duckdb_validity_set_row_invalid(valid, row);
  }
}

bool register_reader(duckdb_connection connection, Type type, duckdb_type result, duckdb_scalar_function_t function) {
  duckdb_logical_type text = duckdb_create_logical_type(DUCKDB_TYPE_VARCHAR);
  duckdb_logical_type value = duckdb_create_logical_type(result);
  duckdb_scalar_function reader = duckdb_create_scalar_function();
  duckdb_scalar_function_set_name(reader, name_of_reader(type).c_str());
  duckdb_scalar_function_add_parameter(reader, text);
  duckdb_scalar_function_set_return_type(reader, value);
  duckdb_scalar_function_set_special_handling(reader);
  duckdb_scalar_function_set_function(reader, function);
  const bool done = duckdb_register_scalar_function(connection, reader) == DuckDBSuccess;
  duckdb_destroy_scalar_function(&reader);
  duckdb_destroy_logical_type(&value);
  duckdb_destroy_logical_type(&text);
  return done;
}

}  // namespace

bool register_cells(duckdb_connection connection) {
  return register_reader(connection, Type::boolean, DUCKDB_TYPE_BOOLEAN, read_cells<boolean_cell>) &&
         register_reader(connection, Type::integer, DUCKDB_TYPE_BIGINT, read_cells<integer_cell>) &&
         register_reader(connection, Type::real, DUCKDB_TYPE_DOUBLE, read_cells<real_cell>) &&
         register_reader(connection, Type::date, DUCKDB_TYPE_DATE, read_cells<date_cell>);
}

std::string read_cell(Type type, const std::string& text) {
  return type == Type::string ? text : name_of_reader(type) + "(" + text + ")";
}

}  // namespace vernier::engine
