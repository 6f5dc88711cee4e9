#include "vernier/numeric/log_factorial.hpp"

#include <cmath>
#include <numbers>

namespace vernier::numeric {

Ball log_factorial(std::int64_t n, Precision precision) {
  arb_t value;
  arb_init(value);
  arb_set_si(value, n + 1);
  arb_lgamma(value, value, precision.bits);
  Ball result = Ball::from_raw(value, precision);
  arb_clear(value);
  return result;
}

// ln n! = ln (n + 8)! - ln (n + 1) ... (n + 8), so that the series is used from 9 on.
double log_factorial_estimate(double n) {
  double product = 1;
  for (int i = 1; i <= 8; ++i) product *= n + i;
  const double x = n + 9, r = 1 / (x * x);
  const double series = (1.0 / 12 - r * (1.0 / 360 - r / 1260)) / x;
  return (x - 0.5) * std::log(x) - x + 0.5 * std::log(2 * std::numbers::pi) + series - std::log(product);
}

}  // namespace vernier::numeric
