#pragma once

#include "vernier/numeric/ball.hpp"

namespace vernier::test {

// delta of Gaussian noise word for word from Balle and Wang 2018, Theorem 8, in balls of 800 bits:
//     Phi(D/2s - eps s/D) - e^eps Phi(-D/2s - eps s/D)
// A second path: no Mills ratio, no series of our own.
inline numeric::Ball exact_gaussian_delta(double epsilon, double sigma, double sensitivity) {
  using numeric::Ball;
  constexpr numeric::Precision precision{800};
  const Ball d = Ball::of(sensitivity, precision);
  const Ball s = Ball::of(sigma, precision);
  const Ball half_way = d / (s + s);
  const Ball threshold = Ball::of(epsilon, precision) * s / d;
  const auto phi = [](const Ball& x) { return times_power_of_two(erfc(-x / sqrt(Ball::of(2, x.precision()))), -1); };
  return phi(half_way - threshold) - exp(Ball::of(epsilon, precision)) * phi(-half_way - threshold);
}

// Certain answers: delta(epsilon; sigma, sensitivity) is at most, or above, the double given.
inline bool is_private(double epsilon, double delta, double sigma, double sensitivity) {
  return less(exact_gaussian_delta(epsilon, sigma, sensitivity), numeric::Ball::of(delta, numeric::Precision{800})) ==
         true;
}
inline bool is_not_private(double epsilon, double delta, double sigma, double sensitivity) {
  return less(numeric::Ball::of(delta, numeric::Precision{800}), exact_gaussian_delta(epsilon, sigma, sensitivity)) ==
         true;
}

}  // namespace vernier::test
