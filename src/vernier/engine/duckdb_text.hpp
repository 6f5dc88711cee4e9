#pragma once

#include <string_view>

#include <duckdb.h>

namespace vernier::engine {

// As the engine's vectors have it: up to twelve bytes, and else a pointer to where the text is, which must stay there.
duckdb_string_t string_of(std::string_view text);

// Whether a vector holds it without a pointer.
inline bool is_inlined(std::string_view text) { return text.size() <= sizeof(duckdb_string_t::value.inlined.inlined); }

}  // namespace vernier::engine
