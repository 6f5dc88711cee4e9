#pragma once

#include <string>
#include <vector>

#include "twin/draw.hpp"

// Bytes that no writer of good will would put where a value belongs.
namespace vernier::bytes {

using twin::Draw;

// How they are odd; each is met in every run.
enum class Oddity : std::uint8_t {
  random,       // any bytes
  empty,        // none
  null_byte,    // text with NUL in it
  no_utf8,      // text with a sequence that is none, cut short, overlong or of a surrogate
  carriage,     // text with CR in it, which some take for the end of a line
  line_ends,    // of Unicode and of old machines: U+2028, NEL, VT, FF, Ctrl-Z
  quotes,       // quotes that open and do not close, or stand within text
  braces,       // text that begins as JSON does and is none
  number_like,  // 1e999, nan, 0x10, digits of other scripts
  blanks,       // of all kinds
  byte_order,   // a byte order mark
  long_text,    // thousands of bytes
  count         // how many there are
};
std::string_view name_of(Oddity oddity);

std::string odd_bytes(Draw& draw, Oddity oddity);

}  // namespace vernier::bytes
