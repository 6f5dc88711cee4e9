#include "vernier/accounting/loss/sampled_curve.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "support/parameters.hpp"
#include "vernier/mechanism/gaussian.hpp"
#include "vernier/mechanism/geometric.hpp"
#include "vernier/mechanism/laplace.hpp"
#include "vernier/numeric/ball.hpp"

namespace vernier::accounting {
namespace {

using mechanism::GaussianMechanism;
using mechanism::GeometricMechanism;
using mechanism::LaplaceMechanism;
using numeric::Ball;
using privacy::Delta;
using privacy::Epsilon;
using privacy::SamplingRate;

constexpr numeric::Precision fine{600};

Ball whole(int x) { return Ball::of(x, fine); }

// P[N > x].
Ball tail(const Ball& x) { return times_power_of_two(erfc(x / sqrt(whole(2))), -1); }

// Remove: the test "x above the place where 1 - q + q e^w = e^epsilon" separates best; its advantage, written out.
Ball exact_remove(double rate, double mu, double epsilon) {
  const Ball q = Ball::of(rate, fine), m = Ball::of(mu, fine), x = exp(Ball::of(epsilon, fine));
  const Ball place = log((x - whole(1) + q) / q) / m + times_power_of_two(m, -1);
  return (whole(1) - q) * tail(place) + q * tail(place - m) - x * tail(place);
}

// Add: P = N(0, 1), Q' = (1 - q) P + q N(mu, 1); the best test is "x below the place where the loss is epsilon".
Ball exact_add(double rate, double mu, double epsilon) {
  const Ball q = Ball::of(rate, fine), m = Ball::of(mu, fine), x = exp(Ball::of(epsilon, fine));
  const Ball reached = whole(1) / x - whole(1) + q;
  if (less(whole(0), reached) != true) return whole(0);
  const Ball place = log(reached / q) / m + times_power_of_two(m, -1);
  return tail(-place) - x * ((whole(1) - q) * tail(-place) + q * tail(m - place));
}

SampledCurve gaussian(double rate, double mu) {
  const auto release = GaussianMechanism::at_scale(*Sigma::of(1), *privacy::L2Sensitivity::of(mu));
  return {release.curve(), *SamplingRate::of(rate)};
}

TEST(SampledCurve, EnclosesTheExactDeltaOfASampledGaussian) {
  test::Parameters any(50);
  for (int i = 0; i < 300; ++i) {
    const double rate = any.log_uniform(1e-6, 0.99), mu = any.log_uniform(0.05, 4);
    const double epsilon = any.log_uniform(1e-4, 1) * rate * 10;
    SCOPED_TRACE(testing::Message() << rate << " " << mu << " " << epsilon);
    const Bounds delta = gaussian(rate, mu).delta(*Epsilon::of(std::max(epsilon, 1e-10)));
    const Bounds remove = exact_remove(rate, mu, std::max(epsilon, 1e-10)).bounds();
    const Bounds add = exact_add(rate, mu, std::max(epsilon, 1e-10)).bounds();
    EXPECT_GE(delta.upper, std::max(remove.lower, add.lower));
    EXPECT_LE(delta.lower, std::max(remove.upper, add.upper));
    EXPECT_LE(delta.upper - delta.lower, 1e-11 * delta.upper + 1e-320);
  }
}

TEST(SampledCurve, FindsTheEpsilonOfADelta) {
  test::Parameters any(51);
  for (int i = 0; i < 60; ++i) {
    const double rate = any.log_uniform(1e-4, 0.9), mu = any.log_uniform(0.1, 3),
                 delta = any.log_uniform(1e-12, 0.3) * rate;
    SCOPED_TRACE(testing::Message() << rate << " " << mu << " " << delta);
    const SampledCurve curve = gaussian(rate, mu);
    const auto epsilon = curve.epsilon(*Delta::of(delta));
    ASSERT_TRUE(epsilon);
    EXPECT_LE(curve.delta(*Epsilon::of(epsilon->upper)).upper, delta);
    if (epsilon->lower == 0) continue;
    EXPECT_GT(curve.delta(*Epsilon::of(epsilon->lower)).lower, delta);
    EXPECT_LE(epsilon->upper - epsilon->lower, 1e-10 * epsilon->upper);
  }
}

TEST(SampledCurve, AmplifiesAPureGuaranteeAsIsWellKnown) {
  const auto release = LaplaceMechanism::at_scale(*LaplaceScale::of(2), *privacy::L1Sensitivity::of(1));
  const SampledCurve curve(release.curve(), *SamplingRate::of(0.1));
  const Bounds pure = *curve.epsilon(Delta::zero());
  EXPECT_NEAR(pure.upper, std::log1p(0.1 * std::expm1(0.5)), 1e-15);
  EXPECT_LE(pure.upper - pure.lower, 1e-16);
  EXPECT_EQ(curve.delta(*Epsilon::of(pure.upper * (1 + 1e-9))), (Bounds{0, 0}));
  EXPECT_GT(curve.delta(*Epsilon::of(pure.lower * (1 - 1e-9))).lower, 0);
}

TEST(SampledCurve, IsTheReleaseItselfAtRateOne) {
  const auto release = *GeometricMechanism::at_scale(*LaplaceScale::of(3), *privacy::IntegerSensitivity::of(2));
  const SampledCurve curve(release.curve(), SamplingRate::everyone());
  EXPECT_EQ(curve.delta(*Epsilon::of(0.3)), release.curve().delta(*Epsilon::of(0.3)));
  EXPECT_EQ(*curve.epsilon(*Delta::of(0.01)), *release.curve().epsilon(*Delta::of(0.01)));
}

TEST(SampledCurve, SaysLessRatherThanTooMuchWhereTheReleaseHasNoFigure) {
  const SampledCurve curve = gaussian(1e-9, 200);  // the release's epsilon would be above 1e4
  const Bounds delta = curve.delta(*Epsilon::of(9999));
  EXPECT_EQ(delta.lower, 0);
  EXPECT_LE(delta.upper, 1e-9);
  EXPECT_GT(delta.upper, 0);
  const auto none = gaussian(0.5, 2).epsilon(Delta::zero());
  ASSERT_FALSE(none);
  EXPECT_FALSE(gaussian(0.9, 1000).epsilon(*Delta::of(1e-3)));
}

TEST(SampledCurve, NeedsNoEpsilonWhereDeltaExceedsTheRate) {
  const Bounds epsilon = *gaussian(0.01, 1).epsilon(*Delta::of(0.02));
  EXPECT_EQ(epsilon.lower, 0);
  EXPECT_LE(epsilon.upper, 1e-10);
}

}  // namespace
}  // namespace vernier::accounting
