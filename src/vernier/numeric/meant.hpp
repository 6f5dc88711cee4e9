#pragma once

#include "vernier/numeric/rational.hpp"

namespace vernier::numeric {

// The double whose shortest decimal it is, for what was written as a decimal: 0.00001 is told as 1e-05 and not as
// 9.999999999999999e-06. Where there is none, rounded down.
double meant(const Rational& value);

}  // namespace vernier::numeric
