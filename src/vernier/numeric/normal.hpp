#pragma once

#include "vernier/numeric/ball.hpp"
#include "vernier/numeric/rounding.hpp"

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

// The integral of exp(-t^2 / 2) over t > z: the upper tail of the standard normal law times sqrt(2 pi). Relatively as
// tight as the precision of z, less about 2 log2(z) bits, for z of any size; normal_tail.md has the proof.
Ball normal_tail_integral(const Ball& z);

// The same divided by exp(-z^2 / 2): the Mills ratio, which neither underflows nor overflows far out on the right.
Ball mills_ratio(const Ball& z);

// About the z with Q(z) = exp(log_tail), Q the upper tail of the standard normal law, for log_tail <= ln(1/2). Right to
// about 1e-14, which is tested, not proven: whoever needs more than a starting point certifies what he makes of it.
double normal_upper_point(double log_tail);

// About the z with P[abs(Z) <= z] = p, for 0 <= p <= 1/2; relatively right to about 1e-14, likewise.
double normal_central_point(double p);

}  // namespace vernier::numeric
