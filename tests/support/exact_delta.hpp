#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "vernier/noise/discrete_gaussian.hpp"
#include "vernier/numeric/ball.hpp"

namespace vernier::test {

// delta of discrete Gaussian noise as the greatest of P[X >= k] - e^epsilon P[X >= k + sensitivity] over k, with 256
// bits and more. It shares no threshold with the code under test: it looks at all k near the place where plain doubles
// see it.
class ExactDelta {
 public:
  ExactDelta(double scale, std::int64_t sensitivity, double epsilon)
      : law_(noise::DiscreteGaussian::of(*Sigma::of(scale)).value()), sensitivity_(sensitivity), epsilon_(epsilon) {}

  bool at_most(double target) const {
    if (target >= 1) return true;
    const std::vector<std::int64_t> candidates = near_the_threshold();
    return std::none_of(candidates.begin(), candidates.end(), [&](std::int64_t k) { return exceeds(k, target); });
  }
  bool within(const Bounds& bounds) const {
    return at_most(bounds.upper) && (bounds.lower == 0 || !below(bounds.lower));
  }

 private:
  bool below(double target) const { return at_most(std::nextafter(target, 0)); }

  // Beyond 1000 scales everything is 0 in any sense that matters; so far the integers reach.
  std::vector<std::int64_t> near_the_threshold() const {
    const double s = law_.scale(), d = static_cast<double>(sensitivity_);
    const double t = std::min(epsilon_ * s * s / d - d / 2, 1e3 * s);
    const auto near = static_cast<std::int64_t>(std::floor(t));
    const auto slack = static_cast<std::int64_t>(std::fabs(t) * 0x1p-48);
    if (slack > 0) return {near - slack, near, near + 1, near + slack + 1};
    return {near, near + 1};
  }

  // Whether the event X >= k shows a delta above the target.
  bool exceeds(std::int64_t k, double target) const {
    for (const long bits : {256L, 1024L, 4096L}) {
      const numeric::Precision precision{bits};
      const numeric::Ball factor = exp(numeric::Ball::of(epsilon_, {bits + 64}));
      const numeric::Ball gain = law_.tail(k - 1, precision) - factor * law_.tail(k - 1 + sensitivity_, precision);
      if (const auto decided = less(numeric::Ball::of(target, precision), gain)) return *decided;
    }
    return true;
  }

  noise::DiscreteGaussian law_;
  std::int64_t sensitivity_;
  double epsilon_;
};

}  // namespace vernier::test
