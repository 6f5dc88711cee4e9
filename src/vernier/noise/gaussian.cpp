#include "vernier/noise/gaussian.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include <boost/math/special_functions/erf.hpp>

#include "vernier/noise/certified.hpp"
#include "vernier/noise/quantile.hpp"
#include "vernier/numeric/normal.hpp"
#include "vernier/numeric/search.hpp"

namespace vernier::noise {

using numeric::Ball;
using numeric::Precision;

namespace {

Ball root_two_pi(Precision precision) { return sqrt(times_power_of_two(Ball::pi(precision), 1)); }

}  // namespace

Ball Gaussian::tail(Real x, Precision precision) const {
  const Precision fine = guarded(precision);
  if (x.value() == 0) return times_power_of_two(Ball::of(1, precision), -1);  // exactly
  const Ball z = Ball::of(x.value(), fine) / Ball::of(scale_, fine);
  return rounded_to(numeric::normal_tail_integral(z) / root_two_pi(fine), precision);
}

Bounds Gaussian::density(Real x) const {
  const Precision fine = guarded(figure_precision);
  const Ball scale = Ball::of(scale_, fine);
  const Ball half_square = times_power_of_two(power(Ball::of(x.value(), fine) / scale, 2), -1);
  return nonnegative_bounds(exp(-half_square) / (scale * root_two_pi(fine)));
}

Bounds Gaussian::cumulative(Real x) const { return tail(-x); }

Bounds Gaussian::tail(Real x) const { return probability_bounds(tail(x, figure_precision)); }

Bounds Gaussian::variance() const { return power(Ball::of(scale_, figure_precision), 2).bounds(); }

Result<Real> Gaussian::quantile(Probability p) const {
  return real_quantile(
      p, [this](double t) { return scale_ * std::sqrt(2.0) * boost::math::erfc_inv(2 * t); },
      [this](Real x, Precision precision) { return tail(x, precision); });
}

// P[abs(X) > a] of Gaussian noise in plain doubles, and its inverse; gaussian.md has the error bounds.
namespace {

constexpr double u = numeric::unit_roundoff;
constexpr double last_in_doubles = 37.5;  // beyond, the probability is below 1e-306

// sqrt(2 / pi) exp(-z^2 / 2) M(z) for z rounded once: the exponent is off by 1.5 u z^2, the rest by 14 u.
Bounds outside_in_doubles(double z) {
  constexpr double root = 0.79788456080286535588;
  const double value = root * std::exp(-0.5 * z * z) * numeric::mills(z);
  const double spread = (15 + 1.6 * z * z) * u;
  return {value * (1 - spread), std::min(value * (1 + spread), 1.0)};
}

// P[abs(Z) <= z] from below, relatively close, which 1 - P[abs(Z) > z] is not for small z. z, the constant and the
// product are rounded, and the function rises at most as fast as its argument: 4 u, and 4 u for libm's erf.
double inside_down(double z) { return std::erf(z * (std::numbers::sqrt2 / 2)) * (1 - 9 * u); }

Ball outside_by_balls(const Gaussian& law, double a, Precision precision) {
  return times_power_of_two(law.tail(*Real::of(a), precision), 1);
}

// ln P[abs(Z) > z] <= ln tau where no double holds the former: for z from 37.5 to 40.
bool holds_in_logarithms(double z, double tau) {
  constexpr double log_root = -0.22579135264472743236;  // ln sqrt(2 / pi)
  const double value = std::log(numeric::mills(z)) - 0.5 * z * z + log_root;
  return value + (5 * std::abs(value) + 1.6 * z * z + 30) * u <= std::log(tau) * (1 + 8 * u);
}

// P[abs(X) > a] <= tau, certainly, for z = a / scale rounded once.
bool holds_in_doubles(double z, double tau) {
  if (tau >= 0.5) return inside_down(z) >= 1 - tau;  // the difference is exact
  if (z > last_in_doubles) return holds_in_logarithms(z, tau);
  return outside_in_doubles(z).upper <= tau;
}

bool holds_by_balls(const Gaussian& law, double a, double tau) {
  constexpr Precision precision{256};
  return a >= 0 && less(Ball::of(tau, precision), outside_by_balls(law, a, precision)) == false;
}

double point_of(double tau) {
  if (tau >= 0.5) return numeric::normal_central_point(1 - tau);
  return numeric::normal_upper_point(std::log(tau) - std::numbers::ln2);
}

}  // namespace

Bounds Gaussian::outside(Real a) const {
  if (a.value() < 0) return {1, 1};
  const double z = a.value() / scale_;
  if (z <= last_in_doubles) return outside_in_doubles(z);
  return probability_bounds(outside_by_balls(*this, a.value(), figure_precision));
}

Result<Real> Gaussian::two_sided_quantile(Probability tau) const {
  if (tau.value() == 0) return no_two_sided_quantile();
  const double a = point_of(tau.value()) * scale_ * (1 + 0x1p-44);
  if (holds_in_doubles(a / scale_, tau.value()) || holds_by_balls(*this, a, tau.value())) return Real::of(a);
  const auto holds = [&](double x) { return holds_by_balls(*this, x, tau.value()); };
  return numeric::least_double(holds, a).and_then(Real::of);
}

}  // namespace vernier::noise
