#include "vernier/engine/duckdb_text.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace vernier::engine {
namespace {

// Eight bytes at a time.
bool is_ascii(std::string_view text) {
  std::uint64_t all = 0;
  for (; text.size() >= sizeof all; text.remove_prefix(sizeof all)) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, text.data(), sizeof bytes);
    all |= bytes;
  }
  for (const char byte : text) all |= static_cast<unsigned char>(byte);
  return (all & 0x8080'8080'8080'8080) == 0;
}

}  // namespace

bool is_utf8(std::string_view text) {
  if (is_ascii(text)) return true;
  duckdb_error_data error = duckdb_valid_utf8_check(text.data(), text.size());
  const bool is_valid = error == nullptr;
  duckdb_destroy_error_data(&error);
  return is_valid;
}

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
