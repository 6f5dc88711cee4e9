#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "vernier/core/result.hpp"
#include "vernier/random/source.hpp"

namespace vernier::testing {

// The same words for the same seed, on every machine and however they are asked for: xoshiro256** 1.0 (Blackman and
// Vigna 2018), its state filled by SplitMix64. Good statistics, no secrecy.
class SeededBits {
 public:
  explicit SeededBits(std::uint64_t seed);

  Result<void> fill(std::span<std::uint64_t> words);
  Result<std::uint64_t> next() { return step(); }
  Result<std::array<std::uint64_t, 2>> next_two() {
    const std::uint64_t first = step();
    return std::array{first, step()};
  }
  Result<void> refresh() { return {}; }  // the same words go on

 private:
  std::uint64_t step();
  std::array<std::uint64_t, 4> state_;
};

using SeededSource = random::BasicSource<SeededBits>;

// Draws and extensions are seeded apart.
SeededSource seeded_source(std::uint64_t seed);

}  // namespace vernier::testing
