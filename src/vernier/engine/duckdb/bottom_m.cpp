#include <array>
#include <memory>
#include <string>
#include <vector>

#include "vernier/engine/aggregate_states.hpp"
#include "vernier/engine/duckdb/functions.hpp"

namespace vernier::engine {
namespace {

const BottomMShape& shape_of(duckdb_function_info info) {
  return *static_cast<const BottomMShape*>(duckdb_aggregate_function_get_extra_info(info));
}

std::int64_t* words_of(duckdb_aggregate_state state) { return reinterpret_cast<std::int64_t*>(state); }

idx_t state_size(duckdb_function_info info) {
  return static_cast<idx_t>(shape_of(info).state_size()) * sizeof(std::int64_t);
}

void init(duckdb_function_info /*info*/, duckdb_aggregate_state state) { BottomMState::init(words_of(state)); }

// A column of a chunk, whose rows may be NULL.
struct Input {
  Input(duckdb_data_chunk chunk, idx_t column) {
    const duckdb_vector vector = duckdb_data_chunk_get_vector(chunk, column);
    values = static_cast<const std::int64_t*>(duckdb_vector_get_data(vector));
    validity = duckdb_vector_get_validity(vector);
  }
  bool has(idx_t row) const { return validity == nullptr || ((validity[row / 64] >> (row % 64)) & 1U) != 0; }

  const std::int64_t* values;
  std::uint64_t* validity;
};

void update(duckdb_function_info info, duckdb_data_chunk chunk, duckdb_aggregate_state* states) {
  const BottomMShape& shape = shape_of(info);
  const Input priorities(chunk, 0);
  const Input cells(chunk, 1);
  std::vector<Input> arguments;
  for (std::int64_t i = 0; i < shape.arguments; ++i) arguments.emplace_back(chunk, static_cast<idx_t>(i) + 2);
  const idx_t rows = duckdb_data_chunk_get_size(chunk);
  for (idx_t row = 0; row < rows; ++row) {
    if (!cells.has(row)) continue;
    BottomMState state(words_of(states[row]), shape);
    std::int64_t* entry = state.entry_of(static_cast<std::uint64_t>(priorities.values[row]), cells.values[row]);
    if (entry == nullptr || !state.has_room(entry, 1)) continue;
    ++entry[2];
    entry += 3;
    for (const Input& argument : arguments) {
      if (argument.has(row)) BottomMState::add(entry, 1, argument.values[row]);
      entry += 2;
    }
  }
}

void combine(duckdb_function_info info, duckdb_aggregate_state* source, duckdb_aggregate_state* target, idx_t count) {
  const BottomMShape& shape = shape_of(info);
  for (idx_t i = 0; i < count; ++i) {
    BottomMState(words_of(target[i]), shape).merge(BottomMState(words_of(source[i]), shape));
  }
}

// The columns of structs.
std::vector<std::int64_t*> fields_of(duckdb_vector structs, const BottomMShape& shape) {
  std::vector<std::int64_t*> fields;
  for (std::int64_t i = 0; i < shape.entry_size() - 1; ++i) {
    const duckdb_vector field = duckdb_struct_vector_get_child(structs, static_cast<idx_t>(i));
    fields.push_back(static_cast<std::int64_t*>(duckdb_vector_get_data(field)));
  }
  return fields;
}

// The structs of a list, with room for `more` of them.
duckdb_vector grown(duckdb_vector list, idx_t more) {
  const idx_t size = duckdb_list_vector_get_size(list) + more;
  duckdb_list_vector_reserve(list, size);
  duckdb_list_vector_set_size(list, size);
  return duckdb_list_vector_get_child(list);
}

// One group of a unit: its struct, with zeros where the unit has none.
void finalize_one(duckdb_function_info info, duckdb_aggregate_state* states, duckdb_vector result, idx_t count,
                  idx_t offset) {
  const BottomMShape& shape = shape_of(info);
  const std::vector<std::int64_t*> fields = fields_of(result, shape);
  for (idx_t i = 0; i < count; ++i) {
    const BottomMState state(words_of(states[i]), shape);
    for (std::size_t f = 0; f < fields.size(); ++f) {
      fields[f][offset + i] = state.size() == 0 ? 0 : state.entry(0)[f + 1];
    }
  }
}

void finalize(duckdb_function_info info, duckdb_aggregate_state* states, duckdb_vector result, idx_t count,
              idx_t offset) {
  const BottomMShape& shape = shape_of(info);
  idx_t total = 0;
  for (idx_t i = 0; i < count; ++i) total += static_cast<idx_t>(BottomMState(words_of(states[i]), shape).size());
  idx_t place = duckdb_list_vector_get_size(result);
  const std::vector<std::int64_t*> fields = fields_of(grown(result, total), shape);
  auto* const lists = static_cast<duckdb_list_entry*>(duckdb_vector_get_data(result));
  for (idx_t i = 0; i < count; ++i) {
    const BottomMState state(words_of(states[i]), shape);
    lists[offset + i] = {place, static_cast<std::uint64_t>(state.size())};
    for (std::int64_t e = 0; e < state.size(); ++e, ++place) {
      for (std::size_t f = 0; f < fields.size(); ++f) fields[f][place] = state.entry(e)[f + 1];
    }
  }
}

struct TypeDeleter {
  void operator()(duckdb_logical_type type) const { duckdb_destroy_logical_type(&type); }
};
using LogicalType = std::unique_ptr<std::remove_pointer_t<duckdb_logical_type>, TypeDeleter>;

LogicalType result_type(const plan::BottomM& aggregate, duckdb_logical_type integer) {
  const std::vector<std::string> fields = aggregate.fields();
  std::vector<const char*> names;
  names.reserve(fields.size());
  for (const std::string& field : fields) names.push_back(field.c_str());
  std::vector<duckdb_logical_type> types(fields.size(), integer);
  LogicalType entry(duckdb_create_struct_type(types.data(), names.data(), fields.size()));
  return aggregate.groups == 1 ? std::move(entry) : LogicalType(duckdb_create_list_type(entry.get()));
}

void delete_shape(void* shape) { delete static_cast<BottomMShape*>(shape); }

}  // namespace

bool register_bottom_m(duckdb_connection connection, const plan::BottomM& aggregate) {
  const LogicalType integer(duckdb_create_logical_type(DUCKDB_TYPE_BIGINT));
  const LogicalType priority(duckdb_create_logical_type(DUCKDB_TYPE_UBIGINT));
  const LogicalType result = result_type(aggregate, integer.get());
  duckdb_aggregate_function function = duckdb_create_aggregate_function();
  duckdb_aggregate_function_set_name(function, aggregate.name().c_str());
  duckdb_aggregate_function_add_parameter(function, priority.get());
  for (std::size_t i = 0; i < aggregate.arguments + 1; ++i) {
    duckdb_aggregate_function_add_parameter(function, integer.get());
  }
  duckdb_aggregate_function_set_return_type(function, result.get());
  duckdb_aggregate_function_set_special_handling(function);
  auto shape = std::make_unique<BottomMShape>(
      BottomMShape{aggregate.groups, static_cast<std::int64_t>(aggregate.arguments), aggregate.most_rows});
  duckdb_aggregate_function_set_extra_info(function, shape.release(), delete_shape);
  duckdb_aggregate_function_set_functions(function, state_size, init, update, combine,
                                          aggregate.groups == 1 ? finalize_one : finalize);
  const bool done = duckdb_register_aggregate_function(connection, function) == DuckDBSuccess;
  duckdb_destroy_aggregate_function(&function);
  return done;
}

}  // namespace vernier::engine
