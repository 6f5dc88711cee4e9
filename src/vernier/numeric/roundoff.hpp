#pragma once

#include "vernier/core/types.hpp"

namespace vernier::numeric {

// The relative error of one rounding to nearest, at most.
inline constexpr double unit_roundoff = 0x1p-53;

// What one call of the C library's exp, expm1, log or log1p may cost, in units of 2^-53: 2 units in the last place.
inline constexpr double library_units = 4;

// Bounds of a value of at least 1e-300 that was computed with a relative error of at most `units` * 2^-53, units below
// 1000. Three more units pay for second-order terms and for forming the ends.
inline Bounds within_units(double computed, double units) {
  const double error = (units + 3) * unit_roundoff;
  return {computed * (1 - error), computed * (1 + error)};
}

}  // namespace vernier::numeric
