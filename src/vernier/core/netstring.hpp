#pragma once

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

}  // namespace vernier
