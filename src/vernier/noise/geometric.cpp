#include "vernier/noise/geometric.hpp"

#include <algorithm>
#include <cmath>

#include "vernier/noise/certified.hpp"
#include "vernier/noise/integer_scale.hpp"
#include "vernier/noise/quantile.hpp"
#include "vernier/numeric/rounding.hpp"
#include "vernier/numeric/split_quotient.hpp"

namespace vernier::noise {

using numeric::Ball;
using numeric::Precision;

namespace {

// abs(x) / scale, with x as it is (abs of the least integer would overflow).
Ball steps(std::int64_t x, double scale, Precision precision) {
  const Ball exact = Ball::of(x, precision);
  return (x < 0 ? -exact : exact) / Ball::of(scale, precision);
}

// q = exp(-1 / scale)
Ball ratio(double scale, Precision precision) { return exp(Ball::of(-1, precision) / Ball::of(scale, precision)); }

// 1 - q without cancellation.
Ball gap(double scale, Precision precision) { return -expm1(Ball::of(-1, precision) / Ball::of(scale, precision)); }

// P[X > x] = q^(x+1) / (1 + q) for x >= 0.
Ball upper_tail(std::int64_t x, double scale, Precision precision) {
  const Ball one = Ball::of(1, precision);
  const Ball next = Ball::of(x, precision) + one;
  return exp(-next / Ball::of(scale, precision)) / (one + ratio(scale, precision));
}

// About where P[X > x] = t.
UpperPoint upper_point(double scale) {
  return [scale](double t) { return -scale * (std::log(t) + std::log1p(std::exp(-1 / scale))) - 0.5; };
}

IntegerTail exact_tail(const Geometric& law) {
  return [law](std::int64_t x, Precision precision) { return law.tail(x, precision); };
}

}  // namespace

Result<Geometric> Geometric::of(LaplaceScale scale) {
  return integer_scale(scale.value()).map([](double value) { return Geometric(value); });
}

Geometric Geometric::rescaled(int exponent) const { return Geometric(std::ldexp(scale_, exponent)); }

Ball Geometric::weight(std::int64_t x, Precision precision) const {
  return rounded_to(exp(-steps(x, scale_, guarded(precision))), precision);
}

Ball Geometric::total(Precision precision) const {
  const Precision fine = guarded(precision);
  return rounded_to((Ball::of(1, fine) + ratio(scale_, fine)) / gap(scale_, fine), precision);
}

Ball Geometric::tail(std::int64_t x, Precision precision) const {
  const Precision fine = guarded(precision);
  // P[X > x] = 1 - P[X > -x - 1] by symmetry, and -x - 1 is ~x, which cannot overflow.
  const Ball result = x >= 0 ? upper_tail(x, scale_, fine) : Ball::of(1, fine) - upper_tail(~x, scale_, fine);
  return rounded_to(result, precision);
}

Bounds Geometric::mass(std::int64_t x) const {
  return probability_bounds(weight(x, figure_precision) / total(figure_precision));
}

Bounds Geometric::cumulative(std::int64_t x) const { return tail(~x); }

Bounds Geometric::tail(std::int64_t x) const { return probability_bounds(tail(x, figure_precision)); }

// 2 q^(a+1) / (1 + q); the page counts the units of error.
Bounds Geometric::outside(std::int64_t a) const {
  if (a < 0) return {1, 1};
  // a + 1 is exact below 2^53, and beyond that the tail of every scale vanishes.
  const numeric::SplitQuotient exponent = numeric::split_quotient(static_cast<double>(a) + 1, scale_);
  if (exponent.head > vanishing_exponent) return vanishing;
  if (exponent.head > greatest_plain_exponent) {
    return probability_bounds(times_power_of_two(tail(a, figure_precision), 1));
  }
  const double both_ends = 2 * std::exp(-exponent.head) * (1 - exponent.rest);
  const Bounds bounds = numeric::within_units(both_ends / (1 + std::exp(-1 / scale_)), 14);
  return {bounds.lower, std::min(bounds.upper, 1.0)};
}

Bounds Geometric::variance() const {
  const Precision fine = guarded(figure_precision);
  const Ball twice_ratio = times_power_of_two(ratio(scale_, fine), 1);
  return nonnegative_bounds(twice_ratio / power(gap(scale_, fine), 2));
}

Result<std::int64_t> Geometric::quantile(Probability p) const {
  return integer_quantile(p, upper_point(scale_), exact_tail(*this));
}

Result<std::int64_t> Geometric::two_sided_quantile(Probability tau) const {
  return integer_two_sided_quantile(tau, upper_point(scale_), exact_tail(*this));
}

}  // namespace vernier::noise
