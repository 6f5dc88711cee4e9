#include "vernier/noise/laplace.hpp"

#include <algorithm>
#include <cmath>

#include "vernier/noise/certified.hpp"
#include "vernier/noise/quantile.hpp"
#include "vernier/numeric/normal.hpp"
#include "vernier/numeric/rounding.hpp"
#include "vernier/numeric/split_quotient.hpp"

namespace vernier::noise {

using numeric::Ball;
using numeric::Precision;

namespace {

// exp(-abs(x) / scale)
Ball decay(double x, double scale, Precision precision) {
  return exp(Ball::of(-std::abs(x), precision) / Ball::of(scale, precision));
}

}  // namespace

Ball Laplace::tail(Real x, Precision precision) const {
  const Precision fine = guarded(precision);
  const Ball outer = times_power_of_two(decay(x.value(), scale_, fine), -1);
  return rounded_to(x.value() >= 0 ? outer : Ball::of(1, fine) - outer, precision);
}

Bounds Laplace::density(Real x) const {
  const Precision fine = guarded(figure_precision);
  const Ball peak = times_power_of_two(Ball::of(1, fine) / Ball::of(scale_, fine), -1);
  return nonnegative_bounds(peak * decay(x.value(), scale_, fine));
}

Bounds Laplace::cumulative(Real x) const { return tail(-x); }

Bounds Laplace::tail(Real x) const { return probability_bounds(tail(x, figure_precision)); }

// exp(-a / scale) = exp(-head) (1 - rest), within 2^-86 since rest is below 700 * 2^-53. Units of error: 4 for exp, 2
// for the factor and the product.
Bounds Laplace::outside(Real a) const {
  if (a.value() <= 0) return {1, 1};
  const numeric::SplitQuotient exponent = numeric::split_quotient(a.value(), scale_);
  if (exponent.head > vanishing_exponent) return vanishing;
  if (exponent.head > greatest_plain_exponent) {
    return probability_bounds(times_power_of_two(tail(a, figure_precision), 1));
  }
  const Bounds bounds = numeric::within_units(std::exp(-exponent.head) * (1 - exponent.rest), 7);
  return {bounds.lower, std::min(bounds.upper, 1.0)};
}

Bounds Laplace::variance() const {
  return times_power_of_two(power(Ball::of(scale_, figure_precision), 2), 1).bounds();
}

Result<Real> Laplace::quantile(Probability p) const {
  return real_quantile(
      p, [this](double t) { return -scale_ * std::log(2 * t); },
      [this](Real x, Precision precision) { return tail(x, precision); });
}

// a = scale ln(1 / tau), where the logarithm is within 2 ulp (4 unit roundoffs) and two products round: 8 cover them.
Result<Real> Laplace::two_sided_quantile(Probability tau) const {
  if (tau.value() == 0) return no_two_sided_quantile();
  return Real::of(-std::log(tau.value()) * scale_ * (1 + 8 * numeric::unit_roundoff));
}

}  // namespace vernier::noise
