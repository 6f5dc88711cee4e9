#include <algorithm>
#include <cmath>
#include <limits>

#include "vernier/mechanism/discrete_gaussian_curve.hpp"
#include "vernier/noise/certified.hpp"
#include "vernier/noise/discrete_gaussian.hpp"
#include "vernier/noise/discrete_gaussian_fast.hpp"
#include "vernier/numeric/rational.hpp"

namespace vernier::mechanism {

using numeric::Ball;
using numeric::Precision;
using numeric::Rational;

namespace {

constexpr double least = std::numeric_limits<double>::denorm_min();
constexpr long first_bits = 128, most_bits = 4096;

// floor(t), exactly; none from 39 scales on, where delta <= P[X > t] is below the least positive double.
std::optional<std::int64_t> floor_of_threshold(const DiscreteGaussianPoint& at) {
  const auto exact = [](double value) { return Rational::of(value).value(); };
  const Rational sensitivity = exact(at.sensitivity);
  const Rational numerator = exact(at.epsilon) * exact(at.scale) * exact(at.scale);
  const Rational t = quotient(numerator, sensitivity).value() - sensitivity * exact(0.5);
  if (t > exact(noise::scales_to_underflow) * exact(at.scale)) return std::nullopt;
  return t.floor().value();
}

bool tight(const Bounds& bounds) {
  return bounds.upper - bounds.lower <= 2e-13 * bounds.upper || bounds.upper <= std::nextafter(bounds.lower, 1);
}

}  // namespace

std::optional<DeltaWithSlope> delta_with_slope(const DiscreteGaussianPoint& at, Precision precision) {
  const std::optional<std::int64_t> m = floor_of_threshold(at);
  if (!m) return std::nullopt;
  const noise::DiscreteGaussian law = *noise::DiscreteGaussian::of(*Sigma::of(at.scale));
  const Ball shifted = law.tail(*m + static_cast<std::int64_t>(at.sensitivity), precision);
  const Ball fall = exp(Ball::of(at.epsilon, noise::guarded(precision))) * shifted;
  return DeltaWithSlope{law.tail(*m, precision) - fall, fall};
}

Bounds delta_at(const DiscreteGaussianPoint& at) {
  if (const std::optional<Bounds> fast = fast_delta(at)) return *fast;
  Bounds bounds{0, 1};
  for (long bits = first_bits; bits <= most_bits && !tight(bounds); bits *= 2) {
    const std::optional<DeltaWithSlope> delta = delta_with_slope(at, {bits});
    if (!delta) return {0, least};
    bounds = noise::probability_bounds(delta->value);
  }
  return bounds;
}

bool delta_is_at_most(const DiscreteGaussianPoint& at, double target) {
  const std::optional<Bounds> fast = fast_delta(at);
  if (fast && fast->upper <= target) return true;
  if (fast && fast->lower > target) return false;
  for (long bits = first_bits; bits <= most_bits; bits *= 2) {
    const std::optional<DeltaWithSlope> delta = delta_with_slope(at, {bits});
    if (!delta) return target >= least;
    if (const auto above = less(Ball::of(target, {bits}), delta->value)) return !*above;
  }
  return false;
}

}  // namespace vernier::mechanism
