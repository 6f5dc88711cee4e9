#include "vernier/engine/duckdb/types.hpp"

#include <algorithm>
#include <cstdint>

namespace vernier::engine {

duckdb_string_t string_of(std::string_view text) {
  duckdb_string_t string{};
  const auto length = static_cast<std::uint32_t>(text.size());
  if (is_inlined(text)) {
    string.value.inlined.length = length;
    std::copy(text.begin(), text.end(), string.value.inlined.inlined);
  } else {
    string.value.pointer.length = length;
    std::copy_n(text.begin(), sizeof string.value.pointer.prefix, string.value.pointer.prefix);
    string.value.pointer.ptr = const_cast<char*>(text.data());
  }
  return string;
}

}  // namespace vernier::engine
