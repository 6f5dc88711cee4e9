#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "support/seeded_bits.hpp"

// Samplers that must never ship, kept to show that the attacks find them: a test that never caught anything proves
// nothing.
namespace vernier::testing {

// A uniform double with 53 bits, as every textbook draws it.
inline double textbook_uniform(SeededBits& bits) {
  return std::ldexp(static_cast<double>(bits.next().value() >> 11), -53);
}

// Mutant 19: Laplace noise by the logarithm of a uniform double (Mironov 2012 breaks it).
inline double textbook_laplace(SeededBits& bits, double scale) {
  const double u = textbook_uniform(bits) - 0.5;
  return (u < 0 ? 1.0 : -1.0) * scale * std::log(1 - 2 * std::fabs(u));
}

// Mutant 20: noise that lies on a fine grid, added to the value in floats (Haney and others 2022 break it).
inline double float_sum(double value, double noise) { return value + noise; }

// Mutant 40: geometric noise by counting coin flips, so that a large value takes longer to draw.
inline std::int64_t naive_geometric(SeededBits& bits, double scale) {
  const double q = std::exp(-1 / scale);
  for (;;) {
    std::int64_t magnitude = 0;
    while (textbook_uniform(bits) < q) ++magnitude;
    const bool negative = (bits.next().value() & 1) != 0;
    if (magnitude != 0 || !negative) return negative ? -magnitude : magnitude;
  }
}

}  // namespace vernier::testing
