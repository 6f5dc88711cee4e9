#pragma once

#include <cstdint>
#include <vector>

// The binomial law as a few blocks of neighbouring numbers, for sums over it: population_proportion.md.
namespace vernier::interval {

struct BinomialBlocks {
  struct Block {
    double greatest;  // number in it
    double mass;      // from above
  };
  std::vector<Block> blocks;
  double rest;  // the chance of what is in no block, from above; at most what was asked for

  // Blocks are at most 1/64 of a deviation wide, or one number; 0 <= p <= 1. rest > 0.
  static BinomialBlocks of(std::int64_t trials, double p, double rest);
};

}  // namespace vernier::interval
