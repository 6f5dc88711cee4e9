#include "vernier/numeric/split_quotient.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "support/parameters.hpp"
#include "vernier/numeric/ball.hpp"
#include "vernier/numeric/rounding.hpp"

namespace vernier::numeric {
namespace {

constexpr Precision fine{400};

double error_of(double value, const Ball& exact) {
  const Bounds error = ((Ball::of(value, fine) - exact) / exact).bounds();
  return std::max(std::abs(error.lower), std::abs(error.upper));
}

TEST(SplitQuotient, HasTwiceTheDigits) {
  test::Parameters any(461);
  for (int i = 0; i < 5000; ++i) {
    const double a = any.log_uniform(1e-120, 1e120), b = any.log_uniform(1e-120, 1e120);
    const SplitQuotient quotient = split_quotient(a, b);
    const Ball sum = Ball::of(quotient.head, fine) + Ball::of(quotient.rest, fine);
    const Ball exact = Ball::of(a, fine) / Ball::of(b, fine);
    EXPECT_EQ(quotient.head, a / b);
    EXPECT_LE(std::abs(((sum - exact) / exact).bounds().upper), 0x1p-105) << a << " " << b;
  }
}

TEST(SplitQuotient, LeavesADifferenceOfThreeUnitsEvenWhereAllDigitsAgree) {
  test::Parameters any(462);
  for (int i = 0; i < 20000; ++i) {
    const double a = any.log_uniform(1e-100, 1e100), b = any.log_uniform(1e-100, 1e100);
    const double near = any.uniform(0, 1) < 0.5 ? 0x1p-53 * std::floor(any.uniform(-4, 5)) : any.uniform(-1, 2);
    const double x = a / b * (1 + near);
    const Ball exact = Ball::of(x, fine) - Ball::of(a, fine) / Ball::of(b, fine);
    const double difference = minus_quotient(x, a, b);
    if (exact.bounds() == Bounds{0, 0}) {
      EXPECT_EQ(difference, 0);
    } else {
      EXPECT_LE(error_of(difference, exact), 3 * unit_roundoff) << x << " " << a << " " << b;
    }
  }
}

TEST(SplitQuotient, KnowsWhenTheQuotientIsExact) {
  EXPECT_EQ(minus_quotient(0.5, 3, 6), 0);
  EXPECT_LT(minus_quotient(1.0 / 3, 1, 3), 0);
  EXPECT_GT(minus_quotient(std::nextafter(1.0 / 3, 1), 1, 3), 0);
}

// The C library must keep what the error bounds charge for it.
template <class Function, class Exact>
void expect_library_units(test::Parameters& any, Function function, Exact exact, double first, double last,
                          double sign) {
  for (int i = 0; i < 3000; ++i) {
    const double x = sign * any.log_uniform(first, last);
    EXPECT_LE(error_of(function(x), exact(Ball::of(x, fine))), library_units * unit_roundoff) << x;
  }
}

TEST(Roundoff, OfTheCLibraryIsWithinWhatIsCharged) {
  test::Parameters any(463);
  const auto plain_exp = [](double x) { return std::exp(x); };
  const auto plain_expm1 = [](double x) { return std::expm1(x); };
  const auto plain_log = [](double x) { return std::log(x); };
  const auto plain_log1p = [](double x) { return std::log1p(x); };
  const auto ball_exp = [](const Ball& x) { return exp(x); };
  const auto ball_expm1 = [](const Ball& x) { return expm1(x); };
  const auto ball_log = [](const Ball& x) { return log(x); };
  const auto ball_log1p = [](const Ball& x) { return log1p(x); };
  expect_library_units(any, plain_exp, ball_exp, 1e-20, 690, -1);
  expect_library_units(any, plain_expm1, ball_expm1, 1e-280, 800, -1);
  expect_library_units(any, plain_log, ball_log, 1e-300, 0.999, 1);
  expect_library_units(any, plain_log1p, ball_log1p, 1e-290, 0.9999, -1);
  expect_library_units(any, plain_log1p, ball_log1p, 1e-290, 2, 1);
}

TEST(Roundoff, BoundsHoldTheExactValue) {
  const Bounds bounds = within_units(1.0, 4);
  EXPECT_LE(bounds.lower, 1 - 4 * unit_roundoff);
  EXPECT_GE(bounds.upper, 1 + 4 * unit_roundoff);
  EXPECT_LE(bounds.upper - bounds.lower, 18 * unit_roundoff);
}

}  // namespace
}  // namespace vernier::numeric
