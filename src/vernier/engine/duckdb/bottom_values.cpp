#include "vernier/engine/aggregate_states.hpp"
#include "vernier/engine/duckdb/functions.hpp"
#include "vernier/engine/duckdb/types.hpp"

namespace vernier::engine {
namespace {

using Held = HeldState<BottomValuesState>;

std::size_t most_of(duckdb_function_info info) {
  const auto* const aggregate = static_cast<const plan::BottomValues*>(duckdb_aggregate_function_get_extra_info(info));
  return static_cast<std::size_t>(aggregate->values);
}

void update(duckdb_function_info info, duckdb_data_chunk chunk, duckdb_aggregate_state* states) {
  const std::size_t most = most_of(info);
  const duckdb_vector input = duckdb_data_chunk_get_vector(chunk, 1);
  const auto* const priorities =
      static_cast<const std::uint64_t*>(duckdb_vector_get_data(duckdb_data_chunk_get_vector(chunk, 0)));
  const auto* const values = static_cast<const std::int64_t*>(duckdb_vector_get_data(input));
  const std::uint64_t* const validity = duckdb_vector_get_validity(input);
  const idx_t rows = duckdb_data_chunk_get_size(chunk);
  for (idx_t row = 0; row < rows; ++row) {
    if (has_value(validity, row)) Held::opened(states[row]).add({priorities[row], values[row]}, most);
  }
}

void combine(duckdb_function_info info, duckdb_aggregate_state* source, duckdb_aggregate_state* target, idx_t count) {
  const std::size_t most = most_of(info);
  Held::combine(source, target, count,
                [most](BottomValuesState& to, const BottomValuesState& from) { to.merge(from, most); });
}

void finalize(duckdb_function_info /*info*/, duckdb_aggregate_state* states, duckdb_vector result, idx_t count,
              idx_t offset) {
  idx_t place = duckdb_list_vector_get_size(result), size = place;
  for (idx_t i = 0; i < count; ++i) size += Held::at(states[i]) == nullptr ? 0 : Held::at(states[i])->entries().size();
  duckdb_list_vector_reserve(result, size);
  duckdb_list_vector_set_size(result, size);
  auto* const values = static_cast<std::int64_t*>(duckdb_vector_get_data(duckdb_list_vector_get_child(result)));
  auto* const lists = static_cast<duckdb_list_entry*>(duckdb_vector_get_data(result));
  for (idx_t i = 0; i < count; ++i) {
    const idx_t first = place;
    if (Held::at(states[i]) != nullptr) {
      for (const auto& [priority, value] : Held::at(states[i])->entries()) values[place++] = value;
    }
    lists[offset + i] = {first, place - first};
  }
}

void delete_aggregate(void* aggregate) { delete static_cast<plan::BottomValues*>(aggregate); }

}  // namespace

bool register_bottom_values(duckdb_connection connection, const plan::BottomValues& aggregate) {
  const LogicalType priority(duckdb_create_logical_type(DUCKDB_TYPE_UBIGINT));
  const LogicalType integer(duckdb_create_logical_type(DUCKDB_TYPE_BIGINT));
  const LogicalType result(duckdb_create_list_type(integer.get()));
  duckdb_aggregate_function function = duckdb_create_aggregate_function();
  duckdb_aggregate_function_set_name(function, aggregate.name().c_str());
  duckdb_aggregate_function_add_parameter(function, priority.get());
  duckdb_aggregate_function_add_parameter(function, integer.get());
  duckdb_aggregate_function_set_return_type(function, result.get());
  duckdb_aggregate_function_set_special_handling(function);
  duckdb_aggregate_function_set_extra_info(function, std::make_unique<plan::BottomValues>(aggregate).release(),
                                           delete_aggregate);
  duckdb_aggregate_function_set_functions(function, Held::size, Held::init, update, combine, finalize);
  duckdb_aggregate_function_set_destructor(function, Held::destroy);
  const bool done = duckdb_register_aggregate_function(connection, function) == DuckDBSuccess;
  duckdb_destroy_aggregate_function(&function);
  return done;
}

}  // namespace vernier::engine
