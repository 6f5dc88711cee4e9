#pragma once

#include <cstdint>
#include <vector>

#include "vernier/core/types.hpp"
#include "vernier/noise/discrete_gaussian.hpp"
#include "vernier/noise/geometric.hpp"

// At which levels intervals are to hold so that several of them hold at once: simultaneous.md, difference.md.
namespace vernier::interval {

// At 1 - (1 - together)^(1 / cells), divided by the figures of a cell, rounded down. Cells have noise, and rows as far
// as those are random, of their own; the figures of one cell may depend on each other in any way. Both numbers are from
// 1 to 2^53; an error where the level would be less than an Alpha may be.
Result<Alpha> each_of(Alpha together, std::int64_t cells, std::int64_t figures_per_cell);

// ---- two independent cells at once

// A box: the first cell's interval at the first level times the second one's at the second.
struct LevelPair {
  Alpha first, second;
};
// The first levels ascend, and the second ones are the same in reverse.
using LevelPairs = std::vector<LevelPair>;

// How often, at most, two independent cells lie in none of the boxes; rounded up.
double chance_to_miss(const LevelPairs& pairs);

// Boxes whose union covers with probability 1 - alpha at least: one of them, for intervals that can be had at one level
// only; or many, which together are shorter where both cells are about equally uncertain. An error for an alpha that is
// too small to be divided.
Result<LevelPairs> one_box(Alpha alpha);
Result<LevelPairs> level_pairs(const noise::Geometric& law, Alpha alpha);
Result<LevelPairs> level_pairs(const noise::DiscreteGaussian& law, Alpha alpha);
Result<LevelPairs> normal_level_pairs(Alpha alpha);  // for figures whose error is that of sampling, mostly

// Whether a unit can have rows in both groups, as it can where it may be in several: then the errors of sampling of the
// two go together in a way that nobody knows, and only half of alpha for each is certain to do.
enum class GroupUnits : std::uint8_t { apart, shared };
Result<LevelPairs> population_level_pairs(Alpha alpha, GroupUnits units);

}  // namespace vernier::interval
