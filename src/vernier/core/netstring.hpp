#pragma once

#include <string>
#include <string_view>

namespace vernier {

// Length, colon, bytes, comma (Bernstein 1997): texts that stand one after the other and cannot run into each other.
inline void add_netstring(std::string& to, std::string_view text) {
  to += std::to_string(text.size());
  to += ':';
  to += text;
  to += ',';
}

}  // namespace vernier
