#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "support/parameters.hpp"
#include "vernier/numeric/ball.hpp"
#include "vernier/numeric/normal.hpp"

namespace vernier::numeric {
namespace {

constexpr Precision fine{1200};

// From Arb's erfc, by the definition: Q / phi.
Ball exact_mills(double x) {
  const Ball z = Ball::of(x, fine);
  const Ball half = Ball::of(0.5, fine);
  return sqrt(Ball::pi(fine) * half) * exp(z * z * half) * erfc(z * sqrt(half));
}

Ball exact_slope(double x) { return Ball::of(1, fine) - Ball::of(x, fine) * exact_mills(x); }

// abs(found - truth) / truth in unit roundoffs.
double units(double found, const Ball& truth) {
  return std::abs((Ball::of(found, fine) / truth - Ball::of(1, fine)).nearest()) / unit_roundoff;
}

// Any cell, its two ends, and the places where the method changes.
double any_point(test::Parameters& any, int i) {
  const double edge = -1 + 0.25 * (i % 69);
  if (i % 3 == 0) return std::max(-1.0, std::nextafter(edge, i % 2 == 0 ? -9.0 : 99.0));
  if (i % 3 == 1) return any.uniform(-1, 17);
  return any.log_uniform(1e-18, 100);
}

TEST(Mills, IsWithinItsProvenErrorFromMinusOneOnward) {
  test::Parameters any(71);
  for (int i = 0; i < 4000; ++i) {
    const double x = any_point(any, i);
    EXPECT_LE(units(mills(x), exact_mills(x)), 4) << x;
    EXPECT_LE(units(mills_slope(x), exact_slope(x)), 4) << x;
  }
}

TEST(Mills, StaysInItsTableAtItsVeryEnd) {
  const double last = std::nextafter(16.0, 0.0);  // last + 1 rounds to 17
  EXPECT_LE(units(mills(last), exact_mills(last)), 4);
  EXPECT_LE(units(mills_slope(last), exact_slope(last)), 4);
  EXPECT_NEAR(mills(last), mills(16), 1e-16);
}

TEST(Mills, HasTheStatedErrorOnTheLeft) {
  test::Parameters any(72);
  for (int i = 0; i < 2000; ++i) {
    const double x = i == 0 ? std::nextafter(-1.0, -2.0) : -any.uniform(1, 37);
    EXPECT_LE(units(mills(x), exact_mills(x)), 10 + x * x) << x;
  }
}

TEST(Mills, LiesBetweenItsClassicalBoundsFarOut) {
  test::Parameters any(73);
  for (int i = 0; i < 1000; ++i) {
    const double x = any.log_uniform(16, 1e8);
    EXPECT_LE(mills(x), 1 / x * (1 + mills_error));
    EXPECT_GE(mills(x), x / (x * x + 1) * (1 - 8 * unit_roundoff));
    EXPECT_LE(mills_slope(x), 1 / (x * x) * (1 + 8 * unit_roundoff));
    EXPECT_GE(mills_slope(x), 1 / (x * x + 3) * (1 - 8 * unit_roundoff));
  }
}

TEST(Mills, IsHarmlessAtTheEndsOfTheDoubles) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(mills(1e200), 1e-200);
  EXPECT_EQ(mills(infinity), 0);
  EXPECT_EQ(mills_slope(1e200), 0);
  EXPECT_EQ(mills(-39), infinity);
  EXPECT_TRUE(std::isnan(mills(std::nan(""))));
  EXPECT_TRUE(std::isnan(mills_slope(std::nan(""))));
}

}  // namespace
}  // namespace vernier::numeric
