#include "vernier/numeric/normal_quantile.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "vernier/numeric/mills.hpp"

namespace vernier::numeric {
namespace {

constexpr double log_sqrt_2_pi = 0.91893853320467274178;

double first_guess(double log_tail) {
  const double t = -2 * log_tail;
  if (t < 3) return 0.63 * (t - 2 * std::numbers::ln2);
  return std::sqrt(t - 2 * log_sqrt_2_pi - std::log(t - 2));
}

}  // namespace

// Halley's step for ln Q = ln M - z^2/2 - ln sqrt(2 pi), whose derivatives are -1/M and -G/M^2. It triples the digits.
double normal_upper_point(double log_tail) {
  double z = first_guess(log_tail);
  for (int i = 0; i < 6; ++i) {
    const double m = mills(z);
    const double excess = std::log(m) - 0.5 * z * z - log_sqrt_2_pi - log_tail;
    const double step = excess * m / (1 + 0.5 * excess * (1 - z * m));
    z = std::max(z + step, -0.5);
    if (std::abs(step) < 1e-5) break;
  }
  return z;
}

// Newton's step for erf(z / sqrt 2), which is concave, from two terms of the inverse series.
double normal_central_point(double p) {
  constexpr double density_at_zero = 0.79788456080286535588;  // of abs(Z)
  double z = p / density_at_zero * (1 + std::numbers::pi / 12 * p * p);
  for (int i = 0; i < 6; ++i) {
    const double excess = std::erf(z / std::numbers::sqrt2) - p;
    const double step = excess / (density_at_zero * std::exp(-0.5 * z * z));
    z -= step;
    if (std::abs(step) <= 1e-9 * z) break;
  }
  return z;
}

}  // namespace vernier::numeric
