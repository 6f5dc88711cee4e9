#pragma once

#include <vector>

#include "vernier/core/types.hpp"
#include "vernier/noise/discrete_gaussian.hpp"
#include "vernier/noise/geometric.hpp"

// Levels for statements about two independent cells at once. difference.md has the proof.
namespace vernier::interval {

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

}  // namespace vernier::interval
