#pragma once

#include "vernier/numeric/roundoff.hpp"

namespace vernier::numeric {

// The Mills ratio of the normal law, M(x) = Q(x) / phi(x), and G(x) = 1 - x M(x) = -M'(x) > 0, in plain doubles with a
// proven error; mills.md has the proof. Both are free of overflow and cancellation, however large x is.
//     x >= -1 :  relative error at most mills_error        x < -1 :  see mills
inline constexpr double mills_error = 4 * unit_roundoff;

// For x < -1: sqrt(2 pi) e^(x^2/2) - M(-x), whose relative error is at most (10 + x^2) unit_roundoff; infinite
// below -38.
double mills(double x);

// For x >= -1 only.
double mills_slope(double x);

}  // namespace vernier::numeric
