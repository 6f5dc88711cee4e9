#pragma once

#include "vernier/core/types.hpp"
#include "vernier/numeric/ball.hpp"

namespace vernier::noise {

// The Laplace law: density exp(-abs(x) / scale) / (2 scale). Every figure is certified.
class Laplace {
 public:
  static Laplace of(LaplaceScale scale) { return Laplace(scale.value()); }
  double scale() const { return scale_; }

  Bounds density(Real x) const;
  Bounds cumulative(Real x) const;  // P[X <= x]
  Bounds tail(Real x) const;        // P[X > x]
  Bounds outside(Real a) const;     // P[abs(X) > a], in plain doubles where these suffice
  Bounds variance() const;
  Result<Real> quantile(Probability p) const;  // the least double x with P[X <= x] >= p, for 0 < p < 1

  numeric::Ball tail(Real x, numeric::Precision) const;  // P[X > x], as tight as the precision asks

  // A double a with P[abs(X) > a] <= tau, at most 1e-12 above the least. For tau above 0.
  Result<Real> two_sided_quantile(Probability tau) const;

 private:
  explicit Laplace(double scale) : scale_(scale) {}
  double scale_;
};

}  // namespace vernier::noise
