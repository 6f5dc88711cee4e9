#include "vernier/mechanism/geometric.hpp"

#include <algorithm>
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
using privacy::IntegerSensitivity;

constexpr Precision fine{400};
constexpr std::int64_t greatest_sensitivity = std::int64_t{1} << 53;

GeometricMechanism at(double scale, std::int64_t sensitivity) {
  return *GeometricMechanism::at_scale(*LaplaceScale::of(scale), *IntegerSensitivity::of(sensitivity));
}

// What the test "x >= -n" tells apart, from the law's tails alone: P[X >= -n] - e^epsilon P[X >= s - n].
Ball advantage(const noise::Geometric& law, std::int64_t sensitivity, double epsilon, std::int64_t n) {
  return law.tail(-n - 1, fine) - exp(Ball::of(epsilon, fine)) * law.tail(sensitivity - n - 1, fine);
}

// Is delta enough? The advantage is concave in n, so that two neighbours of the best n show that it is the best; the
// double only says where to look.
std::optional<bool> is_private(double scale, std::int64_t sensitivity, double epsilon, double delta) {
  const noise::Geometric law = *noise::Geometric::of(*LaplaceScale::of(scale));
  const double middle = (static_cast<double>(sensitivity) - epsilon * scale) / 2;
  const std::int64_t near = middle > 0 ? static_cast<std::int64_t>(std::ceil(middle)) - 1 : 0;
  bool enough = true;
  for (std::int64_t n = std::max<std::int64_t>(0, near - 2); n <= near + 2; ++n) {
    const auto exceeds = less(Ball::of(delta, fine), advantage(law, std::max(sensitivity, n), epsilon, n));
    if (sensitivity >= n) {
      if (!exceeds) return std::nullopt;
      enough = enough && !*exceeds;
    }
  }
  return enough;
}

std::int64_t any_sensitivity(test::Parameters& any) {
  if (any.uniform(0, 1) < 0.4) return static_cast<std::int64_t>(any.uniform(1, 6));
  return static_cast<std::int64_t>(any.log_uniform(1, static_cast<double>(greatest_sensitivity)));
}

TEST(GeometricMechanism, NeedsTheSensitivityOverEpsilonForAPureStatement) {
  for (const auto& [epsilon, sensitivity] : {std::pair{0.1, 1}, {3.0, 1}, {1e-10, 1}, {0.7, 1000}}) {
    const auto mechanism =
        GeometricMechanism::calibrate(*Epsilon::of(epsilon), Delta::zero(), *IntegerSensitivity::of(sensitivity));
    EXPECT_EQ(mechanism->law().scale(), numeric::divide_up(sensitivity, epsilon));
  }
}

// Sum over x of max(0, P[x] - e^epsilon P[x - s]), term by term.
TEST(GeometricMechanism, HasTheDeltaOfItsSum) {
  for (const double scale : {0.05, 0.3, 1.0, 2.5, 7.0}) {
    for (const std::int64_t sensitivity : {1, 2, 3, 10}) {
      for (const double epsilon : {1e-10, 0.01, 0.2, 0.9, 2.5, 9.0}) {
        const noise::Geometric law = *noise::Geometric::of(*LaplaceScale::of(scale));
        Ball sum = Ball::of(0, fine);
        for (auto x = -static_cast<std::int64_t>(250 * scale) - 1; x <= sensitivity; ++x) {
          const Ball term = law.weight(x, fine) - exp(Ball::of(epsilon, fine)) * law.weight(x - sensitivity, fine);
          if (less(term, Ball::of(0, fine)) == true) break;  // the ratio falls with x for x in 0..s, and was constant
          sum = sum + term;
        }
        sum = sum / law.total(fine);
        const Bounds bounds = at(scale, sensitivity).curve().delta(*Epsilon::of(epsilon));
        EXPECT_LE(bounds.lower, sum.bounds().upper + 1e-100) << scale << " " << sensitivity << " " << epsilon;
        EXPECT_GE(bounds.upper, sum.bounds().lower - 1e-100) << scale << " " << sensitivity << " " << epsilon;
        EXPECT_LE(bounds.upper - bounds.lower, 1e-12 * bounds.upper);
      }
    }
  }
}

TEST(GeometricMechanism, AnswersInClosedFormAtSensitivityOne) {
  for (const double epsilon : {1e-3, 0.5, 2.0}) {
    for (const double delta : {1e-12, 1e-3, 0.4}) {
      const auto mechanism =
          GeometricMechanism::calibrate(*Epsilon::of(epsilon), *Delta::of(delta), *IntegerSensitivity::of(1));
      const double inverse = epsilon + std::log1p(delta * std::exp(-epsilon)) - std::log1p(-delta);
      EXPECT_NEAR(mechanism->law().scale() * inverse, 1, 2e-14);
    }
  }
}

TEST(GeometricMechanism, RefusesABudgetWhoseScaleNoLawTakes) {
  const auto tiny = GeometricMechanism::calibrate(*Epsilon::of(1e4), Delta::zero(), *IntegerSensitivity::of(1));
  const auto huge = GeometricMechanism::calibrate(*Epsilon::of(1e-10), *Delta::of(1e-300),
                                                  *IntegerSensitivity::of(greatest_sensitivity));
  ASSERT_FALSE(tiny);
  ASSERT_FALSE(huge);
  EXPECT_EQ(tiny.error().kind, ErrorKind::invalid);
  EXPECT_EQ(huge.error().kind, ErrorKind::invalid);
  EXPECT_NE(tiny.error().sentence().find("need the scale 1e-04"), std::string::npos) << tiny.error().sentence();
  EXPECT_NE(huge.error().sentence().find("need the scale 9.0071992547409"), std::string::npos)
      << huge.error().sentence();
}

TEST(GeometricMechanism, RefusesAScaleThatNoIntegerLawTakes) {
  const auto mechanism = GeometricMechanism::at_scale(*LaplaceScale::of(1e13), *IntegerSensitivity::of(1));
  ASSERT_FALSE(mechanism);
  EXPECT_EQ(mechanism.error().kind, ErrorKind::invalid);
}

void expect_certified_calibration(test::Parameters& any, int count) {
  int answered = 0;
  for (int i = 0; i < count; ++i) {
    const double epsilon = any.log_uniform(1e-10, 1e4), delta = any.log_uniform(1e-300, 0.5);
    const std::int64_t sensitivity = any_sensitivity(any);
    SCOPED_TRACE(testing::Message() << epsilon << " " << delta << " " << sensitivity);
    const auto mechanism =
        GeometricMechanism::calibrate(*Epsilon::of(epsilon), *Delta::of(delta), *IntegerSensitivity::of(sensitivity));
    if (!mechanism) {
      EXPECT_EQ(mechanism.error().kind, ErrorKind::invalid);
      continue;
    }
    ++answered;
    const double scale = mechanism->law().scale();
    EXPECT_EQ(is_private(scale, sensitivity, epsilon, delta), true);
    if (scale < 1.0001e-3) continue;
    EXPECT_EQ(is_private(scale * (1 - 1e-12), sensitivity, epsilon, delta), false);
  }
  EXPECT_GT(answered, count / 3);
}

void expect_certified_curve(test::Parameters& any, int count) {
  for (int i = 0; i < count; ++i) {
    const double scale = any.log_uniform(1e-3, 1e12);
    const std::int64_t sensitivity = any_sensitivity(any);
    const double loss = static_cast<double>(sensitivity) / scale;
    const double epsilon = std::clamp(loss * (1 - any.log_uniform(1e-17, 1)), 1e-10, 1e4);
    SCOPED_TRACE(testing::Message() << scale << " " << epsilon << " " << sensitivity);
    const Bounds bounds = at(scale, sensitivity).curve().delta(*Epsilon::of(epsilon));
    EXPECT_NE(is_private(scale, sensitivity, epsilon, bounds.upper), false);
    if (bounds.upper == 0) continue;
    EXPECT_EQ(is_private(scale, sensitivity, epsilon, bounds.lower), false);
    EXPECT_LE(bounds.upper - bounds.lower, 1e-12 * bounds.lower);
  }
}

void expect_certified_epsilon(test::Parameters& any, int count) {
  int positive = 0;
  for (int i = 0; i < count; ++i) {
    const double scale = any.log_uniform(1e-3, 1e12),
                 delta = any.log_uniform(any.uniform(0, 1) < 0.5 ? 1e-3 : 1e-300, 0.5);
    const double near = scale * std::log1p(delta) * 2 * any.log_uniform(0.5, 4);
    const std::int64_t sensitivity =
        any.uniform(0, 1) < 0.5 ? any_sensitivity(any) : static_cast<std::int64_t>(std::clamp(near, 1.0, 9e15));
    SCOPED_TRACE(testing::Message() << scale << " " << delta << " " << sensitivity);
    const Bounds bounds = *at(scale, sensitivity).curve().epsilon(*Delta::of(delta));
    EXPECT_EQ(is_private(scale, sensitivity, bounds.upper, delta), true);
    if (bounds.upper == 0) continue;
    ++positive;
    EXPECT_EQ(is_private(scale, sensitivity, bounds.lower * (1 - 1e-14), delta), false);
    EXPECT_LE(bounds.upper - bounds.lower, 1e-12 * bounds.lower);
  }
  EXPECT_GT(positive, count / 4);
}

TEST(GeometricMechanism, IsCertifiedOverTheWholeDomain) {
  test::Parameters any(411);
  expect_certified_calibration(any, 1000);
  expect_certified_curve(any, 1000);
  expect_certified_epsilon(any, 1000);
}

TEST(HeavyGeometricMechanism, HasCertifiedCalibrations) {
  test::Parameters any(412);
  expect_certified_calibration(any, 100000);
}

TEST(HeavyGeometricMechanism, HasCertifiedDeltas) {
  test::Parameters any(413);
  expect_certified_curve(any, 100000);
}

TEST(HeavyGeometricMechanism, HasCertifiedEpsilons) {
  test::Parameters any(414);
  expect_certified_epsilon(any, 100000);
}

}  // namespace
}  // namespace vernier::mechanism
