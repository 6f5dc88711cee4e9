#pragma once

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>

namespace vernier {

// Length, colon, bytes, comma (Bernstein 1997): texts that stand one after the other and cannot run into each other.
inline void add_netstring(std::string& to, std::string_view text) {
  char length[20];  // the digits of the greatest size
  to.append(length, std::to_chars(length, length + sizeof length, text.size()).ptr);
  to += ':';
  to += text;
  to += ',';
}

// The same at a place that has room for the text and `netstring_frame` more; returns what is after it.
inline constexpr std::size_t netstring_frame = 22;
inline char* put_netstring(char* at, std::string_view text) {
  at = std::to_chars(at, at + 20, text.size()).ptr;
  *at++ = ':';
  at = std::copy(text.begin(), text.end(), at);
  *at++ = ',';
  return at;
}

}  // namespace vernier
