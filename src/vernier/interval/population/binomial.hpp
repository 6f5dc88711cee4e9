#pragma once

#include <cstdint>
#include <vector>

#include "vernier/core/types.hpp"

namespace vernier::interval {

// The chance to be drawn, 0 < chance <= 1.
struct Chance : Checked<Chance> {
  static Result<void> check(double value);
};

// The masses of Binomial(trials, chance) where nearly all of it is, each from above and by less than one part in 10^8.
struct BinomialMasses {
  std::int64_t first;          // successes of the first mass
  std::vector<double> masses;  // of first, first + 1, ...
  double beyond;               // P[elsewhere], from above

  std::int64_t last() const { return first + static_cast<std::int64_t>(masses.size()) - 1; }
};

// Trials from 0 on, with a variance of at most 10^10; `rest` is about what is left out on either side, above 0.
BinomialMasses binomial_masses(std::int64_t trials, Chance chance, double rest);

// trials * chance * (1 - chance), up to rounding.
double binomial_variance(std::int64_t trials, Chance chance);

// The binomial law as a few blocks of neighbouring numbers, for sums over it: population/proportion.md.
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
