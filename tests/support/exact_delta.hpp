#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "vernier/noise/discrete_gaussian.hpp"
#include "vernier/numeric/ball.hpp"

namespace vernier::test {

// delta of discrete Gaussian noise as the greatest of P[X >= k] - e^epsilon P[X >= k + sensitivity] over k, with 256
// bits and more. It shares no threshold with the code under test: it looks at the integers on both sides of its own.
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

  // The best event begins just above t = epsilon s^2 / d - d / 2, which balls know whatever cancels. Beyond 1000 scales
  // everything is 0 in any sense that matters; so far the integers reach.
  std::vector<std::int64_t> near_the_threshold() const {
    constexpr numeric::Precision precision{512};
    const numeric::Ball s = numeric::Ball::of(law_.scale(), precision);
    const numeric::Ball d = numeric::Ball::of(sensitivity_, precision);
    const numeric::Ball t = numeric::Ball::of(epsilon_, precision) * s * s / d - times_power_of_two(d, -1);
    const double far = 1e3 * law_.scale();
    const std::int64_t near = t.bounds().lower > far ? static_cast<std::int64_t>(far) : t.floor_down();
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
