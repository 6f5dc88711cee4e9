#include "vernier/accounting/zcdp.hpp"

#include <algorithm>
#include <cmath>

#include "vernier/accounting/rdp.hpp"
#include "vernier/core/text.hpp"
#include "vernier/numeric/rounding.hpp"

namespace vernier::accounting {
namespace {

using numeric::Ball;
using numeric::multiply_up;

constexpr double u = numeric::unit_roundoff;

double within_range(double b) { return std::clamp(b, least_order_excess, greatest_order_excess); }

// The best b for delta at epsilon: (2b + 1) rho - epsilon = ln(1 + 1/b). The difference of the sides rises and is
// concave, so that Newton's steps come to the root from below.
double best_order_at_epsilon(double rho, double epsilon) {
  double b = within_range(std::max((epsilon - rho) / (2 * rho), 1 / std::expm1(1 + 3 * rho)));
  for (int i = 0; i < 100; ++i) {
    const double left = std::log1p(1 / b) - std::fma(2 * b, rho, rho - epsilon);
    const double next = within_range(b + left / (2 * rho + 1 / (b * (1 + b))));
    const bool done = std::fabs(next - b) <= 1e-12 * b;
    b = next;
    if (done) break;
  }
  return b;
}

// The best b for epsilon at delta: b^2 rho + ln(1 + b) = ln(1 / delta). The left side is convex in ln b, so that
// Newton's steps come to the root from above.
double best_order_at_delta(double rho, double delta) {
  const double log_delta = -std::log(delta);
  double b = within_range(std::min(std::sqrt(log_delta / rho), std::expm1(log_delta)));
  for (int i = 0; i < 100; ++i) {
    const double excess = (b * b * rho - log_delta) + std::log1p(b);
    const double step = excess / (2 * b * b * rho + b / (1 + b));
    b = within_range(b * std::exp(-step));
    if (std::fabs(step) <= 1e-14) break;
  }
  return b;
}

// a rho - epsilon, where rho - epsilon is exact whenever the two are close.
Approximate excess_at(double b, double rho, double epsilon) {
  const double rest = rho - epsilon;
  const double value = std::fma(b, rho, rest);
  return {value, u * (std::fabs(rest) + std::fabs(value))};
}

}  // namespace

double sum_of_rhos(std::span<const ZcdpPart> parts) {
  double sum = 0;
  for (const ZcdpPart& part : parts) sum = numeric::add_up(sum, multiply_up(part.times, part.rho));
  return sum;
}

double rho_of_pure(double epsilon) { return multiply_up(0.5, multiply_up(epsilon, epsilon)); }

double rho_of_gaussian(double mu) { return multiply_up(0.5, multiply_up(mu, mu)); }

double zcdp_delta(double rho, double epsilon, double spent_delta) {
  const double b = best_order_at_epsilon(rho, epsilon);
  const double delta = delta_at_order(b, excess_at(b, rho, epsilon));
  return spent_delta == 0 ? delta : std::min(numeric::add_up(delta, spent_delta), 1.0);
}

Result<double> zcdp_epsilon(double rho, double delta, double spent_delta) {
  const double left = spent_delta == 0 ? delta : numeric::subtract_down(delta, spent_delta);
  if (!(left > 0)) {
    return invalid("delta must be above " + shortest(spent_delta) +
                   ", which was spent already, and zCDP alone bounds no epsilon at delta 0; but it is " +
                   shortest(delta));
  }
  if (left >= 1) return 0;
  const double b = best_order_at_delta(rho, left);
  const double divergence = std::fma(b, rho, rho);
  return tight_upper(epsilon_at_order(b, {divergence, u * divergence}, left), [&](numeric::Precision precision) {
    const Ball order = Ball::of(1, precision) + Ball::of(b, precision);
    return epsilon_at_order(b, order * Ball::of(rho, precision), left);
  });
}

double classical_zcdp_epsilon(double rho, double delta) {
  const double log_delta = delta >= 1 ? 0 : 0 - numeric::log_down(delta);
  return numeric::add_up(rho, multiply_up(2, numeric::sqrt_up(multiply_up(rho, log_delta))));
}

}  // namespace vernier::accounting
