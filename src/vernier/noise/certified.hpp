#pragma once

#include <algorithm>
#include <limits>

#include "vernier/numeric/ball.hpp"

// How the laws turn balls into the figures they report.
namespace vernier::noise {

// Figures are computed with these bits, so that their Bounds are neighbouring doubles, or two apart.
inline constexpr numeric::Precision figure_precision{128};

// Bits that the laws spend beyond what they are asked for: an exponent of size 2^k costs k of them.
inline constexpr long guard_bits = 64;
inline numeric::Precision guarded(numeric::Precision asked) { return {asked.bits + guard_bits}; }

// Plain doubles serve as long as exp(-exponent) is at least 1e-304; below that their digits fade.
inline constexpr double greatest_plain_exponent = 700;

// 2 exp(-exponent) is below the least positive double from here on.
inline constexpr double vanishing_exponent = 746;
inline constexpr Bounds vanishing{0, std::numeric_limits<double>::denorm_min()};

// Bounds of a value that cannot be negative.
inline Bounds nonnegative_bounds(const numeric::Ball& value) {
  const Bounds bounds = value.bounds();
  return {std::max(bounds.lower, 0.0), bounds.upper};
}

// Bounds of a value that is known to lie in [0, 1].
inline Bounds probability_bounds(const numeric::Ball& value) {
  const Bounds bounds = nonnegative_bounds(value);
  return {bounds.lower, std::min(bounds.upper, 1.0)};
}

}  // namespace vernier::noise
