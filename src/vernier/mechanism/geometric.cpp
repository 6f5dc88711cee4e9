#include "vernier/mechanism/geometric.hpp"

#include <cmath>

#include "vernier/mechanism/geometric_curve.hpp"
#include "vernier/mechanism/least_scale.hpp"

namespace vernier::mechanism {
namespace {

using privacy::Delta;
using privacy::Epsilon;
using privacy::IntegerSensitivity;

// Exact but for rounding at sensitivity 1; otherwise that of Laplace noise, which is near.
double guess(double epsilon, double delta, double sensitivity) {
  if (sensitivity == 1) return 1 / (epsilon + std::log1p(delta * std::exp(-epsilon)) - std::log1p(-delta));
  return sensitivity / (epsilon - 2 * std::log1p(-delta));
}

}  // namespace

Result<GeometricMechanism> GeometricMechanism::calibrate(Epsilon epsilon, Delta delta, IntegerSensitivity sensitivity) {
  const auto whole = static_cast<double>(sensitivity.value());
  const auto curve_at = [&](double scale) { return GeometricCurve{scale, whole}; };
  VERNIER_TRY(const double least,
              least_scale_for(epsilon, delta, guess(epsilon.value(), delta.value(), whole), curve_at));
  if (noise::integer_scale(least))
    return LaplaceScale::of(least).and_then([&](LaplaceScale scale) { return at_scale(scale, sensitivity); });
  return no_such_scale(epsilon, delta, std::to_string(sensitivity.value()), least, noise::least_integer_scale,
                       noise::greatest_integer_scale);
}

Result<GeometricMechanism> GeometricMechanism::at_scale(LaplaceScale scale, IntegerSensitivity sensitivity) {
  return noise::Geometric::of(scale).map(
      [&](const noise::Geometric& law) { return GeometricMechanism(law, sensitivity); });
}

privacy::PrivacyCurve GeometricMechanism::curve() const {
  return privacy::PrivacyCurve(GeometricCurve{law_.scale(), static_cast<double>(sensitivity_.value())});
}

}  // namespace vernier::mechanism
