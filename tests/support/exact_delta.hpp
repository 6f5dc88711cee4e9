#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "vernier/noise/discrete_gaussian.hpp"
#include "vernier/numeric/ball.hpp"

namespace vernier::test {

// delta of discrete Gaussian noise as the greatest of P[X >= k] - e^epsilon P[X >= k + sensitivity] over k, with 256
// bits. It shares no threshold with the code under test: it looks at all k near the place where plain doubles see it.
class ExactDelta {
 public:
  ExactDelta(double scale, std::int64_t sensitivity, double epsilon)
      : law_(*noise::DiscreteGaussian::of(*Sigma::of(scale))), sensitivity_(sensitivity), epsilon_(epsilon) {}

  bool certainly_at_most(double target) const {  // for all k
    return every(
        [&](const numeric::Ball& at_k) { return !less(numeric::Ball::of(target, bits), at_k).value_or(true); });
  }
  bool certainly_above(double target) const {  // for one k
    return !every(
        [&](const numeric::Ball& at_k) { return !less(numeric::Ball::of(target, bits), at_k).value_or(false); });
  }
  bool within(const Bounds& bounds) const { return certainly_at_most(bounds.upper) && !certainly_below(bounds.lower); }

 private:
  static constexpr numeric::Precision bits{256};

  bool certainly_below(double target) const {
    return every(
        [&](const numeric::Ball& at_k) { return less(at_k, numeric::Ball::of(target, bits)).value_or(false); });
  }

  // Beyond 1e3 scales everything is 0 in any sense that matters; so far the integers reach.
  template <class Condition>
  bool every(const Condition& condition) const {
    const double s = law_.scale(), d = static_cast<double>(sensitivity_);
    const double t = epsilon_ * s * s / d - d / 2;
    const auto near = static_cast<std::int64_t>(std::floor(std::min(t, 1e3 * s)));
    const auto slack = static_cast<std::int64_t>(std::fabs(t) * 0x1p-48);
    for (const std::int64_t k : {near - slack - 1, near - 1, near, near + 1, near + 2, near + slack + 2}) {
      if (!condition(at(k))) return false;
    }
    return true;
  }

  numeric::Ball at(std::int64_t k) const {
    return law_.tail(k - 1, bits) - exp(numeric::Ball::of(epsilon_, {320})) * law_.tail(k - 1 + sensitivity_, bits);
  }

  noise::DiscreteGaussian law_;
  std::int64_t sensitivity_;
  double epsilon_;
};

}  // namespace vernier::test
