#pragma once

#include <cstdint>

#include "vernier/core/types.hpp"
#include "vernier/noise/integer_scale.hpp"
#include "vernier/numeric/ball.hpp"

namespace vernier::noise {

// The two-sided geometric law over the integers: P[X = x] proportional to exp(-abs(x) / scale), for exactly the scale
// that the double holds. Also known as discrete Laplace. Every figure is certified: the true value lies in the Bounds,
// whose ends are neighbouring doubles or nearly so.
class Geometric {
 public:
  static Result<Geometric> of(LaplaceScale scale);
  double scale() const { return scale_; }

  Bounds mass(std::int64_t x) const;                   // P[X = x]
  Bounds cumulative(std::int64_t x) const;             // P[X <= x]
  Bounds tail(std::int64_t x) const;                   // P[X > x]
  Bounds outside(std::int64_t a) const;                // P[abs(X) > a], in plain doubles where these suffice
  Bounds variance() const;                             // of X
  Result<std::int64_t> quantile(Probability p) const;  // the least x with P[X <= x] >= p, for 0 < p < 1
  Result<std::int64_t> two_sided_quantile(
      Probability tau) const;  // the least a >= 0 with P[abs(X) > a] <= tau, tau > 0

  // The parts from which samplers and certified decisions are built, as tight as the precision asks.
  numeric::Ball weight(std::int64_t x, numeric::Precision) const;  // exp(-abs(x) / scale)
  numeric::Ball total(numeric::Precision) const;                   // the sum of all weights
  numeric::Ball tail(std::int64_t x, numeric::Precision) const;    // P[X > x]
  Geometric rescaled(int exponent) const;                          // the law at scale * 2^exponent, of any size

 private:
  explicit Geometric(double scale) : scale_(scale) {}
  double scale_;
};

}  // namespace vernier::noise
