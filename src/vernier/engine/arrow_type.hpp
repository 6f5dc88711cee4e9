#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "vernier/engine/arrow_abi.hpp"

namespace vernier::engine {

// How values lie in an array of Arrow; `other` is what no column of a catalog can hold.
enum class ArrowKind : std::uint8_t {
  null,  // no buffer: all values are NULL
  boolean,
  int8,
  uint8,
  int16,
  uint16,
  int32,
  uint32,
  int64,
  uint64,
  float16,
  float32,
  float64,
  text,        // 32-bit offsets
  large_text,  // 64-bit offsets
  text_view,
  date,  // days since 1970, in 32 bits
  other
};

// Of a format string of the specification, such as "l".
ArrowKind arrow_kind(std::string_view format);

bool is_index(ArrowKind kind);  // whether it may point into a dictionary: integers
bool is_text(ArrowKind kind);

// The type of a column as sentences name it: "boolean", "integer", "real", "string" and "date" are those of a catalog;
// "null" goes with all of these. Of a dictionary it is that of its values.
std::string arrow_type_name(const ArrowSchema& schema);

}  // namespace vernier::engine
