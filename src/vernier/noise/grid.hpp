#pragma once

#include <cmath>
#include <cstdint>

#include "vernier/core/types.hpp"

namespace vernier::noise {

// The multiples of a power of two, on which real values live from the moment they meet noise: a value is rounded to
// the grid, an integer of noise is added in units of it, and the scaling back to a real number comes last. It depends
// on the scale of the noise alone, never on data. grid.md has the proofs.
class Grid {
 public:
  // So fine that rounding moves a value by less than 2^-20 of the scale: 2^20 <= scale / granularity < 2^21.
  static Grid for_scale(LaplaceScale scale) { return Grid(std::ilogb(scale.value()) - 20); }
  static Grid for_scale(Sigma scale) { return Grid(std::ilogb(scale.value()) - 20); }

  int exponent() const { return exponent_; }
  double granularity() const { return granularity_; }

  // Values beyond this cannot be put on the grid in 64 bits with room for the noise.
  double greatest_value() const { return granularity_ * 0x1p62; }

  // The nearest unit, halves upward: floor(value / granularity + 1/2). abs(value) <= greatest_value().
  std::int64_t nearest_unit(double value) const;

  // How far apart, in units, two values can come to lie that are at most `distance` apart: the sensitivity on the grid.
  Result<std::int64_t> units_apart(Real distance) const;

  // Exact below 2^53 units; beyond that the nearest double, which is a point of the grid as well.
  double value_of(std::int64_t units) const { return static_cast<double>(units) * granularity(); }

 private:
  explicit Grid(int exponent) : exponent_(exponent), granularity_(std::ldexp(1.0, exponent)) {}
  int exponent_;
  double granularity_;
};

}  // namespace vernier::noise
