#pragma once

#include <memory>
#include <string_view>
#include <utility>

#include <duckdb.h>

#include "vernier/query/value.hpp"

namespace vernier::engine {

// How the engine stores values of a type: those of query::column_type().
inline duckdb_type stored_type(query::Type type) {
  switch (type) {
    case query::Type::boolean:
      return DUCKDB_TYPE_BOOLEAN;
    case query::Type::integer:
      return DUCKDB_TYPE_BIGINT;
    case query::Type::real:
      return DUCKDB_TYPE_DOUBLE;
    case query::Type::string:
      return DUCKDB_TYPE_VARCHAR;
    case query::Type::date:
      break;
  }
  return DUCKDB_TYPE_DATE;
}

// As the engine's vectors have it: up to twelve bytes, and else a pointer to where the text is, which must stay there.
duckdb_string_t string_of(std::string_view text);

// Whether a vector holds it without a pointer.
inline bool is_inlined(std::string_view text) { return text.size() <= sizeof(duckdb_string_t::value.inlined.inlined); }

// States of aggregates that grow. The engine moves states as bytes, so that what it moves is a pointer: null until
// something counts. It calls `destroy` for every state, also where a statement fails.
template <class State>
struct HeldState {
  static State*& at(duckdb_aggregate_state state) { return *reinterpret_cast<State**>(state); }

  static State& opened(duckdb_aggregate_state state) {
    State*& one = at(state);
    if (one == nullptr) one = std::make_unique<State>().release();
    return *one;
  }

  static idx_t size(duckdb_function_info /*info*/) { return sizeof(State*); }
  static void init(duckdb_function_info /*info*/, duckdb_aggregate_state state) { at(state) = nullptr; }

  static void destroy(duckdb_aggregate_state* states, idx_t count) {
    for (idx_t i = 0; i < count; ++i) delete std::exchange(at(states[i]), nullptr);
  }

  // Moves every source into its target, by merge(target, source) where both have something.
  template <class Merge>
  static void combine(duckdb_aggregate_state* source, duckdb_aggregate_state* target, idx_t count, Merge merge) {
    for (idx_t i = 0; i < count; ++i) {
      State*& from = at(source[i]);
      State*& to = at(target[i]);
      if (to == nullptr) {
        std::swap(from, to);
      } else if (from != nullptr) {
        merge(*to, *from);
      }
    }
  }
};

// Whether a row of a column is not NULL.
inline bool has_value(const std::uint64_t* validity, idx_t row) {
  return validity == nullptr || ((validity[row / 64] >> (row % 64)) & 1U) != 0;
}

struct TypeDeleter {
  void operator()(duckdb_logical_type type) const { duckdb_destroy_logical_type(&type); }
};
using LogicalType = std::unique_ptr<std::remove_pointer_t<duckdb_logical_type>, TypeDeleter>;

}  // namespace vernier::engine
