#pragma once

#include <bit>
#include <cstdint>
#include <span>

#include "vernier/core/result.hpp"
#include "vernier/random/source.hpp"

namespace vernier::cli {

// Invented people, drawn from the randomness of the operating system: every demo is about others. A failure of the
// source is kept, and told at the end.
class DemoRandom {
 public:
  explicit DemoRandom(random::Source& source) : source_(source) {}

  // In [0, 1).
  double uniform() { return static_cast<double>(word() >> 11) * 0x1p-53; }

  // From 0 to below `count`.
  int below(int count) { return static_cast<int>(uniform() * count); }

  // About normal, with mean 0 and deviation 1: the number of ones in a word, smoothed.
  double normal() { return (std::popcount(word()) - 32 + uniform() - 0.5) / 4.01; }

  // A place in the list, in proportion to the weights.
  std::size_t choose(std::span<const double> weights);

  const Result<void>& state() const { return state_; }

 private:
  std::uint64_t word();
  random::Source& source_;
  Result<void> state_;
};

}  // namespace vernier::cli
