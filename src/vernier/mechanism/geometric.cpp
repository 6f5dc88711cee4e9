#include "vernier/mechanism/geometric.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "vernier/mechanism/least_scale.hpp"
#include "vernier/mechanism/tight_epsilon.hpp"
#include "vernier/numeric/rounding.hpp"

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

namespace {

using numeric::Ball;
using numeric::minus_quotient;
using numeric::Precision;
using numeric::split_quotient;

constexpr double infinity = std::numeric_limits<double>::infinity();

// The best test says "x >= -n": the greatest n >= 0 with sensitivity - 2n > epsilon scale. A rounding here costs 3
// units of delta at most (geometric.md), since the best n and its neighbour are then equally good.
double best_reach(double epsilon, const GeometricCurve& curve) {
  const double product = epsilon * curve.scale;
  const double rest = std::fma(epsilon, curve.scale, -product);
  return std::max(0.0, std::ceil(((curve.sensitivity - product) - rest) / 2) - 1);
}

// What the test gains over "x >= 0": q (1 - q^n) (1 - exp(epsilon - (sensitivity - n - 1) / scale)), no factor
// negative.
double gain_of_reach(const GeometricCurve& curve, double epsilon, double q) {
  const double n = best_reach(epsilon, curve);
  if (n == 0) return 0;
  const double exponent = minus_quotient(epsilon, curve.sensitivity - n - 1, curve.scale);
  return q * std::expm1(-n / curve.scale) * std::expm1(exponent);
}

// The epsilon at which the test "x >= -n" reaches delta:
//     (sensitivity - n) / scale + log1p(q (1 - q^n) - delta (1 + q)),   q = exp(-1 / scale)
Bounds quick_epsilon(const GeometricCurve& curve, double delta, double n) {
  const double q = std::exp(-1 / curve.scale);
  const double gain = q * -std::expm1(-n / curve.scale);
  const double loss = delta * (1 + q);
  if (!(gain - loss > -0.8)) return {-infinity, infinity};
  const double term = std::log1p(gain - loss);
  // 16 units of gain and loss, five times in the logarithm, whose slope is below 5; and the logarithm's own.
  const double error = numeric::unit_roundoff * (80 * (gain + loss) + numeric::library_units * std::abs(term));
  return plus(split_quotient(curve.sensitivity - n, curve.scale), term, error);
}

Bounds fine_epsilon(const GeometricCurve& curve, double delta, double n, Precision precision) {
  const Ball one = Ball::of(1, precision);
  const Ball scale = Ball::of(curve.scale, precision);
  const Ball q = exp(-one / scale);
  const Ball rest = (one + q) * (one - Ball::of(delta, precision)) - exp(-Ball::of(n + 1, precision) / scale);
  if (less(rest, Ball::of(0, precision)).value_or(false)) return {-infinity, -infinity};  // never reaches delta
  return (Ball::of(curve.sensitivity - n, precision) / scale + log(rest)).bounds();
}

// The tests among which the best one for this delta is: next to where q^(n+1) = (1 + q)(1 - delta) / 2.
std::array<double, 3> candidates(const GeometricCurve& curve, double delta) {
  const double q = std::exp(-1 / curve.scale);
  const double peak = -curve.scale * (std::log1p((q - 1) / 2) + std::log1p(-delta)) - 1;
  const auto reach = [&](double n) { return std::clamp(n, 0.0, curve.sensitivity - 1); };
  return {reach(std::floor(peak - 0.25)), reach(std::floor(peak + 0.5)), reach(std::floor(peak + 1.25))};
}

// The best of three: the greatest lower and the greatest upper end.
template <class EpsilonOf>
Bounds best(const std::array<double, 3>& reaches, const EpsilonOf& epsilon_of) {
  Bounds result{-infinity, -infinity};
  for (const double n : reaches) {
    const Bounds one = epsilon_of(n);
    result = {std::max(result.lower, one.lower), std::max(result.upper, one.upper)};
  }
  return result;
}

}  // namespace

Bounds GeometricCurve::delta(Epsilon epsilon) const {
  const double first = minus_quotient(epsilon.value(), sensitivity, scale);
  if (first >= 0) return {0, 0};
  const double q = std::exp(-1 / scale);
  const Bounds bounds =
      numeric::within_units((gain_of_reach(*this, epsilon.value(), q) - std::expm1(first)) / (1 + q), 32);
  return {bounds.lower, std::min(bounds.upper, 1.0)};
}

Result<Bounds> GeometricCurve::epsilon(Delta delta) const {
  if (delta.is_pure()) {
    return Bounds{numeric::divide_down(sensitivity, scale), numeric::divide_up(sensitivity, scale)};
  }
  const std::array<double, 3> reaches = candidates(*this, delta.value());
  const Bounds quick = best(reaches, [&](double n) { return quick_epsilon(*this, delta.value(), n); });
  return tight_epsilon(quick, [&](Precision precision) {
    return best(reaches, [&](double n) { return fine_epsilon(*this, delta.value(), n, precision); });
  });
}

}  // namespace vernier::mechanism
