#pragma once

#include "vernier/core/types.hpp"

// Arithmetic on doubles whose rounding has a direction and says so: `down` is the largest double that is not above the
// exact result, `up` the least that is not below it. The rounding mode of the processor plays no part. Underflow and
// overflow follow the same rule: exp_up(-1e6) is the least positive double, exp_down(1e6) the largest finite one.
// NaN in, or no real result (log of -1, 0 / 0), NaN out. rounding.md has the proof.
namespace vernier::numeric {

double add_down(double a, double b);
double add_up(double a, double b);
double subtract_down(double a, double b);
double subtract_up(double a, double b);
double multiply_down(double a, double b);
double multiply_up(double a, double b);
double divide_down(double a, double b);
double divide_up(double a, double b);
double sqrt_down(double a);
double sqrt_up(double a);
double exp_down(double a);
double exp_up(double a);
double expm1_down(double a);
double expm1_up(double a);
double log_down(double a);
double log_up(double a);
double log1p_down(double a);
double log1p_up(double a);

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
