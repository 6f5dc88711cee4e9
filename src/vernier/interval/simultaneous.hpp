#pragma once

#include <cstdint>

#include "vernier/core/types.hpp"

// At which level each of many intervals is to hold so that all of them hold at once. simultaneous.md has the proof.
namespace vernier::interval {

// At 1 - (1 - together)^(1 / cells), divided by the figures of a cell, rounded down. Cells have noise, and rows as far
// as those are random, of their own; the figures of one cell may depend on each other in any way. Both numbers are from
// 1 to 2^53; an error where the level would be less than an Alpha may be.
Result<Alpha> each_of(Alpha together, std::int64_t cells, std::int64_t figures_per_cell);

}  // namespace vernier::interval
