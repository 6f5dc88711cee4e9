#pragma once

#include "support/exact_reference.hpp"

namespace vernier::test {

// The loss of one response: two values and the chance of the higher one.
struct TwoValues {
  numeric::Ball high;
  numeric::Ball low;
  numeric::Ball chance;  // of high
};

// Seen from Q the log ratios are +a with chance 1 / (1 + e^a) and -a else; a sample of rate q turns the ratio r into
// 1 - q + q r, and `add` is the mirror image of that.
inline TwoValues two_values(const Response& response, Side side, numeric::Precision precision) {
  using numeric::Ball;
  const Ball a = Ball::of(response.numerator, precision) / Ball::of(response.denominator, precision);
  const Ball q = Ball::of(response.rate, precision), one = Ball::of(1, precision);
  const Ball up = log1p(q * expm1(a)), down = log1p(q * expm1(-a));
  const Ball rare = exp(-a) / (one + exp(-a));  // Q's chance of the ratio e^a
  if (side == Side::remove) return {up, down, rare * exp(up)};
  return {-down, -up, one - rare};
}

// 1 - (1 - failure)^times.
inline numeric::Ball any_failure(double failure, long times, numeric::Precision precision) {
  using numeric::Ball;
  return -expm1(Ball::of(static_cast<double>(times), precision) * log1p(-Ball::of(failure, precision)));
}

}  // namespace vernier::test
