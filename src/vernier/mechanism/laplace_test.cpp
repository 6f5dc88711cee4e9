#include "vernier/mechanism/laplace.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "support/parameters.hpp"
#include "vernier/numeric/ball.hpp"
#include "vernier/numeric/rounding.hpp"

namespace vernier::mechanism {
namespace {

using numeric::Ball;
using numeric::Precision;
using privacy::Delta;
using privacy::Epsilon;
using privacy::L1Sensitivity;

constexpr Precision fine{1600};

LaplaceMechanism at(double scale, double sensitivity) {
  return LaplaceMechanism::at_scale(*LaplaceScale::of(scale), *L1Sensitivity::of(sensitivity));
}

// delta by the integral itself: P[X > -m] - e^epsilon P[X > s - m] at the best threshold -m = -(s - epsilon scale) / 2,
// that is 1 - e^(-m / scale) / 2 - e^(epsilon - (s - m) / scale) / 2. It may be negative where the exact delta is 0.
Ball exact_delta(double scale, double sensitivity, double epsilon) {
  const Ball s = Ball::of(sensitivity, fine), one = Ball::of(1, fine), b = Ball::of(scale, fine);
  const Ball e = Ball::of(epsilon, fine);
  const Ball m = times_power_of_two(s - e * b, -1);
  return one - times_power_of_two(exp(-m / b), -1) - times_power_of_two(exp(e - (s - m) / b), -1);
}

bool is_private(double scale, double sensitivity, double epsilon, double delta) {
  if (less(Ball::of(sensitivity, fine), Ball::of(epsilon, fine) * Ball::of(scale, fine)) == true) return true;
  return less(Ball::of(delta, fine), exact_delta(scale, sensitivity, epsilon)) == false;
}

TEST(LaplaceMechanism, NeedsTheSensitivityOverEpsilonForAPureStatement) {
  for (const auto& [epsilon, sensitivity] : {std::pair{0.1, 1.0}, {3.0, 1.0}, {1e-10, 1e80}, {1e4, 1e-90}}) {
    const auto mechanism =
        LaplaceMechanism::calibrate(*Epsilon::of(epsilon), Delta::zero(), *L1Sensitivity::of(sensitivity));
    EXPECT_EQ(mechanism->law().scale(), numeric::divide_up(sensitivity, epsilon));
  }
}

TEST(LaplaceMechanism, HasNoDeltaFromItsPureEpsilonOn) {
  EXPECT_EQ(at(2, 1).curve().delta(*Epsilon::of(0.5)), (Bounds{0, 0}));
  EXPECT_EQ(at(2, 1).curve().delta(*Epsilon::of(0.75)), (Bounds{0, 0}));
  // One third is above its double by 2^-54 / 3 * 2: all that is left of the difference.
  const double below_a_third = 1.0 / 3;
  const Bounds delta = at(3, 1).curve().delta(*Epsilon::of(below_a_third));
  EXPECT_NEAR(delta.upper / (0x1p-54 / 3 / 2), 1, 1e-12);
  EXPECT_GT(delta.lower, 0);
}

TEST(LaplaceMechanism, UsesADeltaAboveZeroForLessNoise) {
  const auto pure = LaplaceMechanism::calibrate(*Epsilon::of(1), Delta::zero(), *L1Sensitivity::of(1));
  const auto loose = LaplaceMechanism::calibrate(*Epsilon::of(1), *Delta::of(0.1), *L1Sensitivity::of(1));
  EXPECT_EQ(pure->law().scale(), 1);
  EXPECT_NEAR(loose->law().scale(), 1 / (1 - 2 * std::log(0.9)), 1e-14);
}

TEST(LaplaceMechanism, RefusesABudgetWhoseScaleNoLawTakes) {
  const auto mechanism = LaplaceMechanism::calibrate(*Epsilon::of(1e-10), Delta::zero(), *L1Sensitivity::of(1e100));
  ASSERT_FALSE(mechanism);
  EXPECT_EQ(mechanism.error().kind, ErrorKind::invalid);
  EXPECT_NE(mechanism.error().sentence().find("need the scale 1e+110"), std::string::npos)
      << mechanism.error().sentence();
}

void expect_certified_calibration(test::Parameters& any, int count) {
  for (int i = 0; i < count; ++i) {
    const double epsilon = any.log_uniform(1e-10, 1e4), delta = any.log_uniform(1e-300, 0.5);
    const double sensitivity = any.log_uniform(1e-80, 1e80);
    SCOPED_TRACE(testing::Message() << epsilon << " " << delta << " " << sensitivity);
    const auto mechanism =
        LaplaceMechanism::calibrate(*Epsilon::of(epsilon), *Delta::of(delta), *L1Sensitivity::of(sensitivity));
    ASSERT_TRUE(mechanism);
    const double scale = mechanism->law().scale();
    EXPECT_TRUE(is_private(scale, sensitivity, epsilon, delta));
    EXPECT_FALSE(is_private(scale * (1 - 1e-12), sensitivity, epsilon, delta));
  }
}

void expect_certified_curve(test::Parameters& any, int count) {
  for (int i = 0; i < count; ++i) {
    const double scale = any.log_uniform(1e-90, 1e90), epsilon = any.log_uniform(1e-10, 1e4);
    const double sensitivity = std::min(1e100, scale * epsilon * (1 + any.log_uniform(1e-17, 1e3)));
    SCOPED_TRACE(testing::Message() << scale << " " << epsilon << " " << sensitivity);
    const Bounds bounds = at(scale, sensitivity).curve().delta(*Epsilon::of(epsilon));
    if (bounds.upper == 0) {
      EXPECT_TRUE(is_private(scale, sensitivity, epsilon, 0));
      continue;
    }
    const Ball exact = exact_delta(scale, sensitivity, epsilon);
    EXPECT_EQ(less(exact, Ball::of(bounds.lower, fine)), false);
    EXPECT_TRUE(bounds.upper == 1 || less(Ball::of(bounds.upper, fine), exact) == false);
    EXPECT_LE(bounds.upper - bounds.lower, 1e-12 * bounds.lower);
  }
}

// The least epsilon: 2^-70 below it is not enough (where the epsilon itself is a double above 0), and it is enough.
void expect_certified_epsilon(test::Parameters& any, int count) {
  for (int i = 0; i < count; ++i) {
    const double delta = any.log_uniform(1e-300, 0.5), scale = any.log_uniform(1e-80, 1e80);
    const double near = -2 * std::log1p(-delta) * (1 + any.uniform(-1, 1) * any.log_uniform(1e-16, 1));
    const double loss = any.uniform(0, 1) < 0.5 ? near : any.log_uniform(1e-10, 1e4);
    const double sensitivity = std::max(1e-100, scale * loss);
    SCOPED_TRACE(testing::Message() << scale << " " << delta << " " << sensitivity);
    const Bounds bounds = *at(scale, sensitivity).curve().epsilon(*Delta::of(delta));
    EXPECT_TRUE(is_private(scale, sensitivity, bounds.upper, delta));
    if (bounds.upper == 0) continue;
    EXPECT_TRUE(bounds.lower == 0 || !is_private(scale, sensitivity, bounds.lower * (1 - 1e-14), delta));
    EXPECT_LE(bounds.upper - bounds.lower, 1e-12 * bounds.lower);
  }
}

TEST(LaplaceMechanism, IsCertifiedOverTheWholeDomain) {
  test::Parameters any(401);
  expect_certified_calibration(any, 2000);
  expect_certified_curve(any, 2000);
  expect_certified_epsilon(any, 2000);
}

TEST(HeavyLaplaceMechanism, HasCertifiedCalibrations) {
  test::Parameters any(402);
  expect_certified_calibration(any, 100000);
}

TEST(HeavyLaplaceMechanism, HasCertifiedDeltas) {
  test::Parameters any(403);
  expect_certified_curve(any, 100000);
}

TEST(HeavyLaplaceMechanism, HasCertifiedEpsilons) {
  test::Parameters any(404);
  expect_certified_epsilon(any, 100000);
}

TEST(LaplaceMechanism, HasThePureEpsilonOnBothSides) {
  const Bounds third = *at(3, 1).curve().epsilon(Delta::zero());
  EXPECT_EQ(third, (Bounds{1.0 / 3, std::nextafter(1.0 / 3, 1)}));
  EXPECT_EQ(*at(4, 1).curve().epsilon(Delta::zero()), (Bounds{0.25, 0.25}));
}

}  // namespace
}  // namespace vernier::mechanism
