#include "vernier/mechanism/gaussian_curve.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "vernier/numeric/normal.hpp"

namespace vernier::mechanism {
namespace {

constexpr double u = numeric::unit_roundoff;
constexpr double widest = 4e-13;  // on either side: together below 1e-12

std::optional<Bounds> delta_in_doubles(const GaussianPoint& point) {
  constexpr double least_log = -690;  // 1e-300: far from where doubles thin out
  const std::optional<LogDelta> found = log_delta(point.a(), point.b());
  if (!found || found->value < least_log) return std::nullopt;
  const double spread = found->error + 8 * u;  // exp within 2 ulp, and what follows
  if (spread > widest) return std::nullopt;
  const double value = std::exp(found->value);
  return Bounds{value * (1 - spread), std::min(value * (1 + spread), 1.0)};
}

bool is_tight(Bounds bounds) {
  if (std::nextafter(bounds.lower, 1) >= bounds.upper) return true;
  return bounds.upper - bounds.lower <= widest * bounds.lower;
}

// Balls of growing precision; the last are wide only for parameters at the ends of their ranges, and hold even then.
Bounds delta_by_balls(const GaussianPoint& point) {
  Bounds bounds{0, 1};
  for (long bits = 128; bits <= 4096; bits *= 2) {
    const Bounds found = gaussian_delta(point, {bits}).bounds();
    bounds = {std::max(bounds.lower, found.lower), std::min(bounds.upper, found.upper)};
    if (is_tight(bounds)) break;
  }
  return bounds;
}

}  // namespace

Bounds GaussianCurve::delta(privacy::Epsilon epsilon) const {
  const GaussianPoint point{epsilon.value(), sigma_, sensitivity_};
  const std::optional<Bounds> quick = delta_in_doubles(point);
  return quick ? *quick : delta_by_balls(point);
}

Result<Bounds> GaussianCurve::epsilon(privacy::Delta delta) const {
  if (delta.is_pure()) {
    return invalid("delta is 0, but Gaussian noise has no finite epsilon at delta 0",
                   "give a delta above 0, such as 1e-6");
  }
  return gaussian_epsilon(sigma_, sensitivity_, delta.value());
}

}  // namespace vernier::mechanism
