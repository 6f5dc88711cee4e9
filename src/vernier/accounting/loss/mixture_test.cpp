#include "vernier/accounting/loss/mixture.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "support/parameters.hpp"
#include "vernier/numeric/ball.hpp"
#include "vernier/numeric/rounding.hpp"

namespace vernier::accounting {
namespace {

using numeric::Ball;

constexpr numeric::Precision fine{6000};  // e^3000 less itself

Ball log_ratio(double rate, const Ball& w) {
  const Ball q = Ball::of(rate, fine), one = Ball::of(1, fine);
  return log(one - q + q * exp(w));
}

// Less 1e-300, which is more than the width of the ball.
double distance(const Ball& exact, double value) {
  const Bounds bounds = (exact - Ball::of(value, fine)).bounds();
  return std::max(-bounds.lower, bounds.upper) - 1e-300;
}

void expect_certified(double rate, double w0, double move) {
  SCOPED_TRACE(testing::Message() << rate << " " << w0 << " " << move);
  const Mixture mixture = Mixture::at(rate, {w0, 0});
  const Ball start = log_ratio(rate, Ball::of(w0, fine)),
             end = log_ratio(rate, Ball::of(w0, fine) + Ball::of(move, fine));
  const Ball value = start - Ball::of(mixture.value().hi, fine) - Ball::of(mixture.value().lo, fine);
  EXPECT_LE(distance(value, 0), mixture.value_error());
  const Bend bend = mixture.bend(move, 0);
  EXPECT_LE(distance(end - start, bend.change.value), bend.change.units * numeric::unit_roundoff);
  const Ball line = Ball::of(mixture.line(), fine) * Ball::of(move, fine);
  EXPECT_LE(distance(end - start - line, bend.from_line.value), bend.from_line.units * numeric::unit_roundoff);
  const Change down = mixture.change_to_outside();
  if (rate < 1) {
    EXPECT_LE(distance(log(Ball::of(1, fine) - Ball::of(rate, fine)) - start, down.value),
              down.units * numeric::unit_roundoff);
  }
}

TEST(Mixture, KnowsEveryValueFromOneWithinItsErrors) {
  test::Parameters any(32);
  for (int i = 0; i < 600; ++i) {
    const double rate = i % 10 == 0 ? 1 : i % 10 == 1 ? 1 - any.log_uniform(1e-15, 0.1) : any.log_uniform(1e-9, 1);
    const double sign = i % 2 == 0 ? 1 : -1, other = i % 4 < 2 ? 1 : -1;
    expect_certified(rate, sign * any.log_uniform(1e-6, 40), other * any.log_uniform(1e-6, 40));
  }
  for (const double w0 : {-1250.0, -700.0, 0.0, 700.0, 1250.0}) {
    for (const double move : {-1500.0, -601.0, -599.0, 599.0, 601.0, 1500.0}) {
      for (const double rate : {1e-9, 0.3, 1 - 1e-12, 1.0}) expect_certified(rate, w0, move);
    }
  }
}

TEST(Mixture, LosesNoDigitsNearItsPlace) {
  for (const double w0 : {-30.0, -1.0, 0.0, 4.0, 30.0, 500.0}) {
    const Bend bend = Mixture::at(0.01, {w0, 0}).bend(1e-8, 0);
    EXPECT_LE(bend.change.units, 60 * bend.change.value) << w0;
  }
  for (const double rate : {1e-6, 0.3, 0.85, 1.0}) {
    const Mixture mixture = Mixture::at(rate, {1e-8, 0});
    EXPECT_LE(mixture.value_error(), 1e-14 * mixture.value().hi) << rate;
  }
}

}  // namespace
}  // namespace vernier::accounting
