#include <array>

#include "vernier/engine/aggregate_states.hpp"
#include "vernier/engine/duckdb/functions.hpp"
#include "vernier/engine/duckdb/types.hpp"

namespace vernier::engine {
namespace {

using Held = HeldState<ValueCountsState>;

void count_values(duckdb_function_info /*info*/, duckdb_data_chunk chunk, duckdb_aggregate_state* states) {
  const duckdb_vector input = duckdb_data_chunk_get_vector(chunk, 0);
  const auto* const values = static_cast<const std::int64_t*>(duckdb_vector_get_data(input));
  const std::uint64_t* const validity = duckdb_vector_get_validity(input);
  const idx_t rows = duckdb_data_chunk_get_size(chunk);
  for (idx_t row = 0; row < rows; ++row) {
    if (has_value(validity, row)) Held::opened(states[row]).add(values[row], 1);
  }
}

void count_lists(duckdb_function_info /*info*/, duckdb_data_chunk chunk, duckdb_aggregate_state* states) {
  const duckdb_vector input = duckdb_data_chunk_get_vector(chunk, 0);
  const auto* const lists = static_cast<const duckdb_list_entry*>(duckdb_vector_get_data(input));
  const std::uint64_t* const has_list = duckdb_vector_get_validity(input);
  const duckdb_vector child = duckdb_list_vector_get_child(input);
  const auto* const values = static_cast<const std::int64_t*>(duckdb_vector_get_data(child));
  const std::uint64_t* const validity = duckdb_vector_get_validity(child);
  const idx_t rows = duckdb_data_chunk_get_size(chunk);
  for (idx_t row = 0; row < rows; ++row) {
    if (!has_value(has_list, row)) continue;
    for (idx_t i = lists[row].offset; i < lists[row].offset + lists[row].length; ++i) {
      if (has_value(validity, i)) Held::opened(states[row]).add(values[i], 1);
    }
  }
}

void combine(duckdb_function_info /*info*/, duckdb_aggregate_state* source, duckdb_aggregate_state* target,
             idx_t count) {
  Held::combine(source, target, count, [](ValueCountsState& to, const ValueCountsState& from) { to.merge(from); });
}

void finalize(duckdb_function_info /*info*/, duckdb_aggregate_state* states, duckdb_vector result, idx_t count,
              idx_t offset) {
  idx_t place = duckdb_list_vector_get_size(result), size = place;
  for (idx_t i = 0; i < count; ++i) size += Held::at(states[i]) == nullptr ? 0 : Held::at(states[i])->size();
  duckdb_list_vector_reserve(result, size);
  duckdb_list_vector_set_size(result, size);
  const duckdb_vector child = duckdb_list_vector_get_child(result);
  auto* const values = static_cast<std::int64_t*>(duckdb_vector_get_data(duckdb_struct_vector_get_child(child, 0)));
  auto* const counts = static_cast<std::int64_t*>(duckdb_vector_get_data(duckdb_struct_vector_get_child(child, 1)));
  auto* const lists = static_cast<duckdb_list_entry*>(duckdb_vector_get_data(result));
  for (idx_t i = 0; i < count; ++i) {
    const idx_t first = place;
    if (Held::at(states[i]) != nullptr) {
      Held::at(states[i])->for_each([&](const ValueCountsState::Slot& slot) {
        values[place] = slot.value;
        counts[place++] = slot.count;
      });
    }
    lists[offset + i] = {first, place - first};
  }
}

}  // namespace

bool register_value_counts(duckdb_connection connection, const plan::ValueCounts& aggregate) {
  const LogicalType integer(duckdb_create_logical_type(DUCKDB_TYPE_BIGINT));
  const LogicalType integers(duckdb_create_list_type(integer.get()));
  std::array<duckdb_logical_type, 2> types = {integer.get(), integer.get()};
  std::array<const char*, 2> names = {"v", "n"};
  const LogicalType entry(duckdb_create_struct_type(types.data(), names.data(), types.size()));
  const LogicalType result(duckdb_create_list_type(entry.get()));
  duckdb_aggregate_function function = duckdb_create_aggregate_function();
  duckdb_aggregate_function_set_name(function, aggregate.name().c_str());
  duckdb_aggregate_function_add_parameter(function, aggregate.of_lists ? integers.get() : integer.get());
  duckdb_aggregate_function_set_return_type(function, result.get());
  duckdb_aggregate_function_set_special_handling(function);
  duckdb_aggregate_function_set_functions(function, Held::size, Held::init,
                                          aggregate.of_lists ? count_lists : count_values, combine, finalize);
  duckdb_aggregate_function_set_destructor(function, Held::destroy);
  const bool done = duckdb_register_aggregate_function(connection, function) == DuckDBSuccess;
  duckdb_destroy_aggregate_function(&function);
  return done;
}

}  // namespace vernier::engine
