#pragma once

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>

#include "vernier/core/result.hpp"

// Numbers to text and back, free of locale.
namespace vernier {

// The shortest decimal that reads back as the same double: 0.1, 1e+100, nan, -inf.
std::string shortest(double value);

// Reads a decimal number: digits with an optional sign, point and exponent, and nothing else around it. The nearest
// double; text that is no decimal number (hex, "0,1", "nan", "inf", blanks) or is beyond the range of a double (1e400)
// is refused, with `name` as the subject of the sentence.
Result<double> read_number(std::string_view name, std::string_view text);

// Likewise for a whole number that fits in 64 bits.
Result<long long> read_integer(std::string_view name, std::string_view text);

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

// Some significant digits, six for tables: the nearest, the least that is not below the value, or the largest that is
// not above it.
std::string nearest_text(double value, int digits = 6);
std::string rounded_up_text(double value, int digits = 6);
std::string rounded_down_text(double value, int digits = 6);

}  // namespace vernier
