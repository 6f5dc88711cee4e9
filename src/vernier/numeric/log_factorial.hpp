#pragma once

#include <cstdint>

#include "vernier/numeric/ball.hpp"

namespace vernier::numeric {

// ln n! for n >= 0: Arb's log-gamma function.
Ball log_factorial(std::int64_t n, Precision precision);

// The same in doubles, by Stirling's series: right to about 1e-9, or 1e-16 relatively; a guide.
double log_factorial_estimate(double n);

}  // namespace vernier::numeric
