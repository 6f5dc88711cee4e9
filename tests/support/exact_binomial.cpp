#include <algorithm>
#include <cmath>

#include <arb.h>

#include "support/exact_reference.hpp"
#include "support/two_values.hpp"

namespace vernier::test {
namespace {

using numeric::Ball;
using numeric::Precision;

Ball log_gamma(double x, Precision precision) {
  arb_t value;
  arb_init(value);
  arb_set_d(value, x);
  arb_lgamma(value, value, precision.bits);
  const Ball result = Ball::from_raw(value, precision);
  arb_clear(value);
  return result;
}

// P[J = j], J binomial.
Ball mass(double n, double j, const Ball& chance) {
  const Precision precision = chance.precision();
  const Ball choices = log_gamma(n + 1, precision) - log_gamma(j + 1, precision) - log_gamma(n - j + 1, precision);
  return exp(choices + Ball::of(j, precision) * log(chance) + Ball::of(n - j, precision) * log1p(-chance));
}

struct Terms {
  arb_t mass, scaled, ratio, shrink, whole, hinged, work;  // scaled: mass times e^(epsilon - loss)
  Terms() {
    for (auto* x : {mass, scaled, ratio, shrink, whole, hinged, work}) arb_init(x);
  }
  ~Terms() {
    for (auto* x : {mass, scaled, ratio, shrink, whole, hinged, work}) arb_clear(x);
  }
  Terms(const Terms&) = delete;
  Terms& operator=(const Terms&) = delete;
};

double middle(const arb_t x) { return arf_get_d(arb_midref(x), ARF_RND_NEAR); }
double size_exponent(const arb_t x) { return static_cast<double>(arf_abs_bound_lt_2exp_si(arb_midref(x))); }

// The sum of mass (1 - e^(epsilon - loss)) over j from `first` to n; from where the terms fall fast the rest is added
// to the ball as a geometric series.
Ball hinge_sum(double n, double first, const TwoValues& law, double epsilon) {
  const Precision precision = law.chance.precision();
  const long bits = precision.bits;
  const Ball step = law.high - law.low, count = Ball::of(n, precision), start = Ball::of(first, precision);
  Terms t;
  arb_set(t.mass, mass(n, first, law.chance).raw());
  arb_set(t.ratio, (law.chance / (Ball::of(1, precision) - law.chance)).raw());
  arb_set(t.shrink, exp(-step).raw());
  const Ball weight = exp(Ball::of(epsilon, precision) - count * law.low - start * step);
  arb_mul(t.scaled, t.mass, weight.raw(), bits);
  const double odds = middle(t.ratio);
  for (double j = first;; ++j) {
    arb_add(t.whole, t.whole, t.mass, bits);
    arb_add(t.hinged, t.hinged, t.scaled, bits);
    if (j == n) break;
    const double fall = odds * (n - j) / (j + 1) * (1 + 1e-12);
    if (fall < 1 &&
        size_exponent(t.mass) - std::log2(1 - fall) < size_exponent(t.whole) - static_cast<double>(bits - 64)) {
      arb_mul_2exp_si(t.work, t.mass, static_cast<long>(std::ceil(-std::log2(1 - fall))) + 1);
      arb_add_error(t.whole, t.work);
      break;
    }
    arb_mul_ui(t.mass, t.mass, static_cast<unsigned long>(n - j), bits);
    arb_div_ui(t.mass, t.mass, static_cast<unsigned long>(j + 1), bits);
    arb_mul(t.mass, t.mass, t.ratio, bits);
    arb_mul_ui(t.scaled, t.scaled, static_cast<unsigned long>(n - j), bits);
    arb_div_ui(t.scaled, t.scaled, static_cast<unsigned long>(j + 1), bits);
    arb_mul(t.scaled, t.scaled, t.ratio, bits);
    arb_mul(t.scaled, t.scaled, t.shrink, bits);
  }
  return Ball::from_raw(t.whole, precision) - Ball::from_raw(t.hinged, precision);
}

// The least j with n low + j (high - low) > epsilon, or the last that is not where that cannot be told: its term is 0.
double first_above(double n, const TwoValues& law, double epsilon) {
  const Precision precision = law.chance.precision();
  const Ball at = (Ball::of(epsilon, precision) - Ball::of(n, precision) * law.low) / (law.high - law.low);
  const Bounds where = at.bounds();
  if (where.upper < 0) return 0;
  if (where.lower >= n + 1) return n + 1;
  return std::max(0.0, static_cast<double>(at.floor_down()) + 1);
}

}  // namespace

Reference exact_equal_responses(const Response& response, long times, Side side) {
  return refined([=](Precision precision) -> BallCurve {
    const TwoValues law = two_values(response, side, precision);
    const Ball failure = any_failure(response.failure, times, precision);
    return [=](double epsilon) {
      const double n = static_cast<double>(times), first = first_above(n, law, epsilon);
      if (first > n) return failure;
      return failure + (Ball::of(1, precision) - failure) * hinge_sum(n, first, law, epsilon);
    };
  });
}

}  // namespace vernier::test
