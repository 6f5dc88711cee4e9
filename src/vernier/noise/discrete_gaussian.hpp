#pragma once

#include <cstdint>

#include "vernier/core/types.hpp"
#include "vernier/noise/integer_scale.hpp"
#include "vernier/numeric/ball.hpp"

namespace vernier::noise {

// The discrete Gaussian law over the integers: P[X = x] proportional to exp(-x^2 / (2 scale^2)), for exactly the scale
// that the double holds (Canonne, Kamath and Steinke 2020). Every figure is certified, in time that does not grow with
// the scale; discrete_gaussian.md has the proofs.
class DiscreteGaussian {
 public:
  static Result<DiscreteGaussian> of(Sigma scale);
  double scale() const { return scale_; }

  Bounds mass(std::int64_t x) const;                   // P[X = x]
  Bounds cumulative(std::int64_t x) const;             // P[X <= x]
  Bounds tail(std::int64_t x) const;                   // P[X > x]
  Bounds outside(std::int64_t a) const;                // P[abs(X) > a], in well below a microsecond
  Bounds variance() const;                             // of X: below scale^2, and far below it for small scales
  Result<std::int64_t> quantile(Probability p) const;  // the least x with P[X <= x] >= p, for 0 < p < 1
  Result<std::int64_t> two_sided_quantile(
      Probability tau) const;  // the least a >= 0 with P[abs(X) > a] <= tau, tau > 0

  // The parts from which samplers and certified decisions are built, as tight as the precision asks.
  numeric::Ball weight(std::int64_t x, numeric::Precision) const;  // exp(-x^2 / (2 scale^2))
  numeric::Ball total(numeric::Precision) const;                   // the sum of all weights
  numeric::Ball tail(std::int64_t x, numeric::Precision) const;    // P[X > x]
  DiscreteGaussian rescaled(int exponent) const;                   // the law at scale * 2^exponent, of any size

 private:
  explicit DiscreteGaussian(double scale) : scale_(scale) {}
  double scale_;
};

}  // namespace vernier::noise
