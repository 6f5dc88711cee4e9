#pragma once

namespace vernier::numeric {

// About the z with Q(z) = exp(log_tail), Q the upper tail of the standard normal law, for log_tail <= ln(1/2). Right to
// about 1e-14, which is tested, not proven: whoever needs more than a starting point certifies what he makes of it.
double normal_upper_point(double log_tail);

// About the z with P[abs(Z) <= z] = p, for 0 <= p <= 1/2; relatively right to about 1e-14, likewise.
double normal_central_point(double p);

}  // namespace vernier::numeric
