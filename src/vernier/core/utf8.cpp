#include "vernier/core/utf8.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace vernier {
namespace {

// The length that the first byte of a character announces; 0 for a byte that begins none.
std::size_t announced_length(unsigned char first) {
  if (first < 0x80) return 1;
  if (first < 0xC2 || first > 0xF4) return 0;
  return first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
}

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80; }

// The second byte rules out overlong forms, surrogates and what lies beyond U+10FFFF.
bool is_second_byte(unsigned char first, unsigned char second) {
  if (first == 0xE0) return second >= 0xA0;
  if (first == 0xED) return second <= 0x9F;
  if (first == 0xF0) return second >= 0x90;
  return first != 0xF4 || second <= 0x8F;
}

// The length of the character at the front; 0 where there is no valid one.
std::size_t valid_length(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  const std::size_t length = announced_length(first);
  if (length <= 1) return length;
  if (text.size() < length || !std::all_of(text.begin() + 1, text.begin() + length, is_continuation)) return 0;
  return is_second_byte(first, static_cast<unsigned char>(text[1])) ? length : 0;
}

// Eight bytes of ASCII at a time.
std::string_view without_ascii(std::string_view text) {
  while (text.size() >= 8) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, text.data(), sizeof eight);
    if ((eight & 0x8080808080808080) != 0) return text;
    text.remove_prefix(8);
  }
  return text;
}

}  // namespace

bool is_utf8(std::string_view text) {
  for (text = without_ascii(text); !text.empty();) {
    const std::size_t length = valid_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
    if (length == 1) text = without_ascii(text);
  }
  return true;
}

}  // namespace vernier
