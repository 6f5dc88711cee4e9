#include <algorithm>
#include <cmath>
#include <numbers>

#include "vernier/core/text.hpp"
#include "vernier/mechanism/gaussian_curve.hpp"
#include "vernier/numeric/normal.hpp"
#include "vernier/numeric/search.hpp"

namespace vernier::mechanism {

using numeric::Ball;
using numeric::Precision;
using privacy::Delta;
using privacy::Epsilon;
using privacy::L2Sensitivity;

namespace {

// Moved out by this much, sigma passes the certificate wherever the search has converged; the bound of the error,
// turned into sigma, stays below a third of it (gaussian.md).
constexpr double nudge = 1 + 0x1p-43;

Result<Sigma> checked(double sigma) {
  if (sigma >= least_scale && sigma <= greatest_scale) return Sigma::of(sigma);
  return invalid("the budget needs Gaussian noise of scale " + shortest(sigma) + ", but a scale lies between " +
                     shortest(least_scale) + " and " + shortest(greatest_scale),
                 "measure the statistic in another unit");
}

// Where Q(b - a) = delta, or P[abs(Z) <= a] = delta if that is further: both are bounds from below, since delta is at
// most either.
double first_guess(double epsilon, double delta) {
  const double z = numeric::normal_upper_point(std::log(delta));
  const double from_tail = epsilon / (std::sqrt(z * z + 2 * epsilon) + z);
  return std::max(from_tail, numeric::normal_central_point(delta));
}

// a with delta(a, epsilon / 2a) about delta: Halley's steps for ln delta, which is concave and increasing in ln a.
double solve(double epsilon, double delta) {
  const double target = std::log(delta);
  double a = first_guess(epsilon, delta);
  for (int i = 0; i < 40; ++i) {
    const double b = epsilon / (2 * a);
    const auto here = log_delta(a, b);
    if (!here) {
      a *= b < a ? 0.5 : 2;
      continue;
    }
    const double excess = here->value - target;
    const double newton = excess * here->mean_slope;
    const double bend = 0.5 * newton * here->mean_slope * log_delta_curvature(a, b, here->mean_slope);
    const double step = newton / std::clamp(1 - bend, 0.5, 2.0);
    a *= std::exp(-step);
    if (std::abs(step) < 3e-6) break;
  }
  return a;
}

// --- the old formulas: rounded once, up

constexpr Precision old_precision{128};

Ball exactly(double value) { return Ball::of(value, old_precision); }

Result<Sigma> scale_of(const Ball& c_squared, Epsilon epsilon, L2Sensitivity sensitivity) {
  const Ball sigma = sqrt(c_squared) * exactly(sensitivity.value()) / exactly(epsilon.value());
  return checked(sigma.bounds().upper);
}

}  // namespace

Result<Sigma> analytic_sigma_by_balls(Epsilon epsilon, Delta delta, L2Sensitivity sensitivity, double guess) {
  const auto holds = [&](double sigma) {
    if (!(sigma >= least_scale / 2)) return false;
    return certainly_within_by_balls({epsilon.value(), sigma, sensitivity.value()}, delta.value());
  };
  return numeric::least_double(holds, guess).and_then(checked);
}

Result<Sigma> analytic_sigma(Epsilon epsilon, Delta delta, L2Sensitivity sensitivity) {
  const double a = solve(epsilon.value(), delta.value());
  const double sigma = sensitivity.value() / (2 * a) * nudge;
  if (certainly_within({epsilon.value(), sigma, sensitivity.value()}, delta.value())) return checked(sigma);
  return analytic_sigma_by_balls(epsilon, delta, sensitivity, sigma);
}

Result<Sigma> classical_sigma(Epsilon epsilon, Delta delta, L2Sensitivity sensitivity) {
  const Ball logarithm = log(exactly(1.25) / exactly(delta.value()));
  return scale_of(times_power_of_two(logarithm, 1), epsilon, sensitivity);
}

Result<Sigma> dwork_roth_sigma(Epsilon epsilon, Delta delta, L2Sensitivity sensitivity) {
  const Ball logarithm = log(exactly(2) / Ball::pi(old_precision) / power(exactly(delta.value()), 2));
  return scale_of(logarithm + exactly(8) / exactly(9), epsilon, sensitivity);
}

}  // namespace vernier::mechanism
