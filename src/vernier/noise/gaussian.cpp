#include "vernier/noise/gaussian.hpp"

#include <cmath>

#include <boost/math/special_functions/erf.hpp>

#include "vernier/noise/certified.hpp"
#include "vernier/noise/quantile.hpp"
#include "vernier/numeric/normal_tail.hpp"

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

}  // namespace vernier::noise
