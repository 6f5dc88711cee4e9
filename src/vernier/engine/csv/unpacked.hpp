#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include "vernier/core/result.hpp"

namespace vernier::engine {

// An open file with what is in a compressed one, at its beginning; the caller closes it. It has no name, and goes with
// the last who has it open. All is unpacked before this returns, so that a damaged file fails as a whole, before
// anything is asked of it, and whatever stands in its rows. `most` stops earlier, where only the beginning is wanted.
Result<int> open_unpacked(const std::string& path, std::int64_t most = std::numeric_limits<std::int64_t>::max());

}  // namespace vernier::engine
