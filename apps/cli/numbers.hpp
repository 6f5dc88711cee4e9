#pragma once

#include <cstdint>
#include <string_view>

#include "vernier/core/result.hpp"

namespace vernier::cli {

// Reads a whole number of 64 bits, as 3, 3.0 or 1e6. From 2^53 in size on all its digits must be written, since a
// number with a point or an exponent passes through a double.
Result<std::int64_t> read_whole(std::string_view name, std::string_view text);

}  // namespace vernier::cli
