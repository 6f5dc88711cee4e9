#include "vernier/noise/discrete_gaussian.hpp"

#include <cmath>
#include <limits>
#include <optional>

#include <boost/math/special_functions/erf.hpp>

#include "vernier/noise/certified.hpp"
#include "vernier/noise/discrete_gaussian_fast.hpp"
#include "vernier/noise/gaussian_sum.hpp"
#include "vernier/noise/quantile.hpp"

namespace vernier::noise {

using numeric::Ball;
using numeric::Precision;

namespace {

// About where P[X > x] = t.
UpperPoint upper_point(double scale) {
  return [scale](double t) { return scale * std::sqrt(2.0) * boost::math::erfc_inv(2 * t); };
}

IntegerTail exact_tail(const DiscreteGaussian& law) {
  return [law](std::int64_t x, Precision precision) { return law.tail(x, precision); };
}

}  // namespace

Result<DiscreteGaussian> DiscreteGaussian::of(Sigma scale) {
  return integer_scale(scale.value()).map([](double value) { return DiscreteGaussian(value); });
}

DiscreteGaussian DiscreteGaussian::rescaled(int exponent) const {
  return DiscreteGaussian(std::ldexp(scale_, exponent));
}

Ball DiscreteGaussian::weight(std::int64_t x, Precision precision) const {
  return rounded_to(gaussian_weight(scale_, Ball::of(x, guarded(precision))), precision);
}

Ball DiscreteGaussian::total(Precision precision) const { return gaussian_total(scale_, precision); }

Ball DiscreteGaussian::tail(std::int64_t x, Precision precision) const {
  if (x >= 0) return gaussian_upper_sum(scale_, x, precision) / total(precision);
  // P[X > x] = 1 - P[X > -x - 1] by symmetry, and -x - 1 is ~x, which cannot overflow.
  return Ball::of(1, precision) - tail(~x, precision);
}

Bounds DiscreteGaussian::mass(std::int64_t x) const {
  return probability_bounds(weight(x, figure_precision) / total(figure_precision));
}

Bounds DiscreteGaussian::cumulative(std::int64_t x) const { return tail(~x); }

Bounds DiscreteGaussian::tail(std::int64_t x) const { return probability_bounds(tail(x, figure_precision)); }

Bounds DiscreteGaussian::outside(std::int64_t a) const {
  constexpr double least = std::numeric_limits<double>::denorm_min();
  if (a < 0) return {1, 1};
  if (static_cast<double>(a) + 1 > scales_to_underflow * scale_) return {0, least};
  if (const std::optional<Bounds> fast = fast_outside(scale_, a)) return *fast;
  return probability_bounds(times_power_of_two(tail(a, figure_precision), 1));
}

Bounds DiscreteGaussian::variance() const {
  return nonnegative_bounds(gaussian_second_moment(scale_, figure_precision));
}

Result<std::int64_t> DiscreteGaussian::quantile(Probability p) const {
  return integer_quantile(p, upper_point(scale_), exact_tail(*this));
}

Result<std::int64_t> DiscreteGaussian::two_sided_quantile(Probability tau) const {
  return integer_two_sided_quantile(tau, upper_point(scale_), exact_tail(*this));
}

}  // namespace vernier::noise
