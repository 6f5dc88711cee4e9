#include <cmath>

#include <gtest/gtest.h>

#include "support/exact_delta.hpp"
#include "support/parameters.hpp"
#include "vernier/mechanism/discrete_gaussian_curve.hpp"

namespace vernier::mechanism {
namespace {

using test::ExactDelta;

void expect_least(double scale, std::int64_t sensitivity, double delta) {
  SCOPED_TRACE(testing::Message() << scale << " " << sensitivity << " " << delta);
  const Bounds epsilon = least_discrete_gaussian_epsilon(scale, *privacy::IntegerSensitivity::of(sensitivity), delta);
  ASSERT_TRUE(std::isfinite(epsilon.upper));
  EXPECT_TRUE(ExactDelta(scale, sensitivity, epsilon.upper).at_most(delta)) << epsilon.upper;
  if (epsilon.upper == 0) return;
  EXPECT_FALSE(ExactDelta(scale, sensitivity, epsilon.lower).at_most(delta)) << epsilon.lower;
  EXPECT_LE(epsilon.upper - epsilon.lower, 1e-12 * epsilon.upper);
}

void expect_least_at_random(test::Parameters& any, int i) {
  const double scale = i % 2 == 0 ? any.log_uniform(1e-3, 1e12) : any.log_uniform(0.1, 100);
  const double delta = i % 4 < 2 ? any.log_uniform(1e-300, 0.5) : any.log_uniform(1e-12, 0.5);
  const double sensitivity = i % 5 == 0 ? any.log_uniform(1, 9e15) : any.log_uniform(1, 30);
  expect_least(scale, static_cast<std::int64_t>(sensitivity), delta);
}

TEST(SlowDiscreteGaussianEpsilon, IsTightOnRandomPointsOfTheWholeDomain) {
  test::Parameters any(91);
  for (int i = 0; i < 1200; ++i) expect_least_at_random(any, i);
}

TEST(HeavyDiscreteGaussianEpsilon, IsTightOnManyRandomPoints) {
  test::Parameters any(92);
  for (int i = 0; i < 100'000; ++i) expect_least_at_random(any, i);
}

// delta falls by a hundred powers of ten within a hair of epsilon.
TEST(DiscreteGaussianEpsilon, IsTightOnTheSteepStepsOfSmallScales) {
  expect_least(0.4309, 19, 1e-168);
  test::Parameters any(93);
  for (int i = 0; i < 300; ++i) {
    const auto sensitivity = static_cast<std::int64_t>(any.uniform(1, 25));
    expect_least(any.log_uniform(0.01, 0.45), sensitivity, any.log_uniform(1e-300, 1e-150));
  }
}

// Close to delta(0) the curve is so flat that doubles cannot tell epsilon.
TEST(DiscreteGaussianEpsilon, IsTightWhereDeltaIsNearlyThatOfEpsilonZero) {
  for (const double scale : {0.9, 3.0, 40.0, 1e6}) {
    const ExactDelta at_zero(scale, 1, 0);
    double below = 1e-12, above = 0.5;  // delta(0) lies between
    for (int i = 0; i < 60; ++i) (at_zero.at_most(std::sqrt(below * above)) ? above : below) = std::sqrt(below * above);
    for (const double share : {1 - 1e-3, 1 - 1e-9, 1 - 1e-14}) expect_least(scale, 1, std::fmin(below * share, 0.5));
    EXPECT_EQ(least_discrete_gaussian_epsilon(scale, *privacy::IntegerSensitivity::of(1), above).upper, 0) << scale;
  }
}

TEST(DiscreteGaussianEpsilon, IsTightInTheCornersOfTheDomain) {
  for (const double scale : {1e-3, 1.0, 1e12}) {
    for (const double delta : {1e-300, 1e-6, 0.5}) {
      for (const std::int64_t sensitivity : {1L, 1000L, 1L << 53}) expect_least(scale, sensitivity, delta);
    }
  }
}

}  // namespace
}  // namespace vernier::mechanism
