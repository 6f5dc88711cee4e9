#pragma once

#include "vernier/core/types.hpp"
#include "vernier/numeric/ball.hpp"

namespace vernier::noise {

// The Gaussian law: density exp(-x^2 / (2 scale^2)) / (scale sqrt(2 pi)). Every figure is certified.
class Gaussian {
 public:
  static Gaussian of(Sigma scale) { return Gaussian(scale.value()); }
  double scale() const { return scale_; }

  Bounds density(Real x) const;
  Bounds cumulative(Real x) const;  // P[X <= x]
  Bounds tail(Real x) const;        // P[X > x]
  Bounds variance() const;
  Result<Real> quantile(Probability p) const;  // the least double x with P[X <= x] >= p, for 0 < p < 1

  numeric::Ball tail(Real x, numeric::Precision) const;  // P[X > x], as tight as the precision asks

  Bounds outside(Real a) const;  // P[abs(X) > a], at most 1e-12 apart; in nanoseconds where it is above 1e-300
  // The least double a with P[abs(X) > a] <= tau, or one at most 1e-12 above it: certified at the double returned. For
  // tau above 0.
  Result<Real> two_sided_quantile(Probability tau) const;

 private:
  explicit Gaussian(double scale) : scale_(scale) {}
  double scale_;
};

}  // namespace vernier::noise
