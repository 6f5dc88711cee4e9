#pragma once

#include <array>
#include <cstddef>

namespace vernier::accounting {

// Gauss's rule with 32 nodes on [-1, 1]; distances from -1 and weights are right to 2^-53 relatively, by Arb's balls.
struct GaussLegendre {
  static constexpr std::size_t count = 32;
  std::array<double, count> from_left;
  std::array<double, count> weights;
};

const GaussLegendre& gauss_legendre();

}  // namespace vernier::accounting
