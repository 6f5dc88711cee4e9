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

// Where a unit can have rows in both groups the errors of sampling of the two go together in a way that nobody knows,
// and only half of alpha for each is certain to do.
Result<LevelPairs> half_each(Alpha alpha);

// ---- two independent cells, where each end of an interval has a part of its own of the chance to miss

// At levels that are fixed before any data, boxes for either end of a difference: the greatest first cell less the
// least second one, and the reverse. An end of a cell's interval misses with `part` of its level at most: 1/2 where
// both ends miss equally often. difference.md has the areas.
class EndLevels {
 public:
  // An error for an alpha that is too small to be divided.
  static Result<EndLevels> of(Alpha alpha, double part);

  const std::vector<Alpha>& levels() const { return levels_; }  // descending: the shortest interval first

  // The level at which a cell is told alone, nearly.
  std::size_t usual() const { return usual_; }

  // Places of the levels of a first and a second cell, the first ones descending. Each end of the difference is missed
  // with alpha / 2 at most, whatever the two laws are.
  struct Box {
    std::size_t first, second;
  };
  using Boxes = std::vector<Box>;

  // The shortest, nearly, where nothing is known of which cell is the more uncertain one.
  Boxes along_circle() const;

  // Where the second one is `ratio` times as uncertain as the first.
  Boxes along_line(double ratio) const;

  // How often, at most, two independent cells miss all of these boxes to one side; rounded up.
  double chance_to_miss(const Boxes& boxes) const;

 private:
  template <class Boxed>
  Boxes shortest(const Boxed& boxes_of_size) const;
  Boxes boxes_within(const std::vector<double>& second_of_first) const;

  double chance_ = 0;              // of one end of the difference
  std::vector<double> distances_;  // in normal deviations, ascending
  std::vector<double> chances_;    // of one end of a cell, descending
  std::vector<Alpha> levels_;
  std::size_t usual_ = 0;
};

}  // namespace vernier::interval
