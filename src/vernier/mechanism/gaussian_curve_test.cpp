// The privacy curve of Gaussian noise, both ways.
#include "vernier/mechanism/gaussian_curve.hpp"

#include <cmath>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "support/exact_gaussian.hpp"
#include "support/parameters.hpp"
#include "support/reference.hpp"
#include "vernier/core/text.hpp"
#include "vernier/mechanism/gaussian.hpp"
#include "vernier/numeric/rational.hpp"

namespace vernier::mechanism {
namespace {

using numeric::Ball;
using numeric::Rational;
using privacy::Delta;
using privacy::Epsilon;
using privacy::L2Sensitivity;

constexpr double least = std::numeric_limits<double>::denorm_min();

privacy::PrivacyCurve curve_at(double sigma, double sensitivity = 1) {
  return GaussianMechanism::at_scale(*Sigma::of(sigma), *L2Sensitivity::of(sensitivity)).curve();
}
Bounds delta_at(double sigma, double sensitivity, double epsilon) {
  return curve_at(sigma, sensitivity).delta(*Epsilon::of(epsilon));
}
Result<Bounds> epsilon_at(double sigma, double sensitivity, double delta) {
  return curve_at(sigma, sensitivity).epsilon(*Delta::of(delta));
}

void expect_tight(Bounds bounds) {
  EXPECT_TRUE(std::isfinite(bounds.upper));
  EXPECT_GE(bounds.lower, 0);
  const bool neighbours = std::nextafter(bounds.lower, 1) >= bounds.upper;
  EXPECT_TRUE(neighbours || bounds.upper - bounds.lower <= 1e-12 * bounds.lower) << bounds.lower << " " << bounds.upper;
}

void expect_around(Bounds bounds, const std::string& decimal) {
  const Rational truth = *Rational::of_decimal(decimal);
  EXPECT_LE(*Rational::of(bounds.lower), truth);
  EXPECT_GE(*Rational::of(bounds.upper), truth);
  expect_tight(bounds);
}

TEST(GaussianCurve, AgreesWithTheReferenceTableOfDeltas) {
  const auto rows = test::reference_rows("delta_of_scale.csv");
  int compared = 0;
  for (const auto& row : rows) {
    if (row[0] != "gaussian") continue;
    SCOPED_TRACE(row[1] + " " + row[2] + " " + row[3]);
    const auto number = [&](std::size_t i) { return read_number("value", row[i]).value(); };
    expect_around(delta_at(number(1), number(2), number(3)), row[4]);
    ++compared;
  }
  EXPECT_GE(compared, 20);
}

TEST(GaussianCurve, AgreesWithTheReferenceTableOfEpsilons) {
  const auto rows = test::reference_rows("epsilon_of_scale.csv");
  int compared = 0;
  for (const auto& row : rows) {
    if (row[0] != "gaussian") continue;
    SCOPED_TRACE(row[1] + " " + row[2] + " " + row[3]);
    const auto number = [&](std::size_t i) { return read_number("value", row[i]).value(); };
    expect_around(*epsilon_at(number(1), number(2), number(3)), row[4]);
    ++compared;
  }
  EXPECT_GE(compared, 20);
}

void expect_delta(double epsilon, double sigma, double sensitivity) {
  SCOPED_TRACE(testing::Message() << "epsilon " << epsilon << " sigma " << sigma << " sensitivity " << sensitivity);
  const Bounds bounds = delta_at(sigma, sensitivity, epsilon);
  expect_tight(bounds);
  EXPECT_GT(bounds.upper, 0);
  const Ball truth = test::exact_gaussian_delta(epsilon, sigma, sensitivity);
  const auto exactly = [](double value) { return Ball::of(value, numeric::Precision{800}); };
  EXPECT_EQ(less(truth, exactly(bounds.lower)).value_or(false), false);
  EXPECT_EQ(less(exactly(bounds.upper), truth).value_or(false), false);
}

void expect_epsilon(double delta, double sigma, double sensitivity) {
  SCOPED_TRACE(testing::Message() << "delta " << delta << " sigma " << sigma << " sensitivity " << sensitivity);
  const Result<Bounds> bounds = epsilon_at(sigma, sensitivity, delta);
  ASSERT_TRUE(bounds) << bounds.error().sentence();
  expect_tight(*bounds);
  EXPECT_TRUE(test::is_private(bounds->upper, delta, sigma, sensitivity));
  if (bounds->upper > 0) {
    EXPECT_TRUE(test::is_not_private(bounds->lower, delta, sigma, sensitivity));
  }
}

// epsilon around its whole range of effect, whatever the scale: from near delta(0) to below the doubles.
double any_epsilon(test::Parameters& any, double sigma) {
  const double a = 0.5 / sigma;
  const double epsilon = 2 * a * std::max(0.0, a + any.uniform(-6, 41));
  return std::clamp(epsilon, 1e-10, 1e4);
}

void expect_curve_at_random_points(int points, std::uint64_t seed) {
  test::Parameters any(seed);
  for (int i = 0; i < points && !testing::Test::HasFailure(); ++i) {
    const double sigma = any.log_uniform(i % 2 == 0 ? 1e-3 : 0.1, i % 2 == 0 ? 1e12 : 100);
    expect_delta(any_epsilon(any, sigma), sigma, 1);
    expect_delta(any.log_uniform(1e-10, 1e4), sigma, any.log_uniform(0.1, 10));
    expect_epsilon(i % 3 == 0 ? any.uniform(1e-6, 0.5) : any.log_uniform(1e-300, 0.5), sigma, 1);
  }
}

TEST(SlowGaussianCurve, HoldsTheTruthAtRandomPointsOfTheWholeDomain) { expect_curve_at_random_points(1000, 84); }

// Two deltas and an epsilon at each.
TEST(HeavyGaussianCurve, HoldsTheTruthAtAHundredThousandPoints) { expect_curve_at_random_points(34'000, 85); }

TEST(GaussianCurve, HoldsTheTruthAtTheEndsOfAllScales) {
  for (const double sigma : {1e-100, 1e-50, 1e-9, 1e9, 1e50, 1e100}) {
    for (const double epsilon : {1e-10, 1.0, 1e4}) expect_tight(delta_at(sigma, 1, epsilon));
    for (const double delta : {1e-300, 1e-250, 1e-6, 0.5}) {
      const Result<Bounds> bounds = epsilon_at(sigma, 1, delta);
      ASSERT_TRUE(bounds) << sigma << " " << delta << " " << bounds.error().sentence();
      expect_tight(*bounds);
    }
  }
  EXPECT_EQ(delta_at(1e100, 1, 1), (Bounds{0, least}));
  EXPECT_EQ(delta_at(1e-100, 1, 1), (Bounds{std::nextafter(1.0, 0.0), 1}));
  expect_around(*epsilon_at(1e-50, 1, 0.5), "5e99");
}

// There delta at 0 hardly exceeds the delta asked, and epsilon is what is left.
TEST(GaussianCurve, FindsAnEpsilonFarSmallerThanItsParameters) {
  const double sigma = 10;
  const double at_zero = std::erf(0.05 / std::sqrt(2.0));
  for (const double part : {1e-15, 1e-12, 1e-6, 1e-3}) expect_epsilon(at_zero * (1 - part), sigma, 1);
  EXPECT_LT(epsilon_at(sigma, 1, at_zero * (1 - 1e-15))->upper, 1e-15);
  EXPECT_EQ(*epsilon_at(sigma, 1, at_zero * (1 + 1e-15)), (Bounds{0, 0}));
}

TEST(GaussianCurve, GoesBackWhereItCameFrom) {
  test::Parameters any(86);
  for (int i = 0; i < 500; ++i) {
    const double epsilon = any.log_uniform(1e-4, 1e3);
    const double delta = any.log_uniform(1e-300, 1e-5);
    const auto mechanism =
        GaussianMechanism::calibrate(*Epsilon::of(epsilon), *Delta::of(delta), *L2Sensitivity::of(1));
    EXPECT_LE(mechanism->curve().delta(*Epsilon::of(epsilon)).upper, delta);
    const Bounds back = *mechanism->curve().epsilon(*Delta::of(delta));
    EXPECT_LE(back.upper, epsilon) << epsilon << " " << delta;
    EXPECT_GE(back.lower, epsilon * (1 - 1e-12)) << epsilon << " " << delta;
  }
}

TEST(GaussianCurve, FindsEpsilonByBallsFromAnyGuess) {
  const Bounds quick = *gaussian_epsilon(3, 1, 1e-6);
  for (const double guess : {0.0, 1e-30, 1.0, 1.6, 50.0}) {
    const Result<Bounds> found = gaussian_epsilon_by_balls(3, 1, 1e-6, guess);
    ASSERT_TRUE(found) << guess;
    EXPECT_LE(found->lower, quick.upper);
    EXPECT_GE(found->upper, quick.lower);
    expect_tight(*found);
  }
}

TEST(GaussianCurve, HasNoEpsilonAtDeltaZero) {
  const Result<Bounds> found = curve_at(1).epsilon(Delta::zero());
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().kind, ErrorKind::invalid);
  EXPECT_NE(found.error().sentence().find("no finite epsilon at delta 0"), std::string::npos);
}

TEST(GaussianCurve, SaysWhenEpsilonIsBeyondAllDoubles) {
  const Result<Bounds> found = epsilon_at(1e-100, 1e100, 1e-6);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().kind, ErrorKind::exhausted);
}

// The bound of the error in plain doubles, at every kind of a and b it is made for.
TEST(GaussianCurve, IsWithinTheProvenErrorInDoubles) {
  test::Parameters any(87);
  double worst = 0;
  for (int i = 0; i < 3000; ++i) {
    const double sigma = 0.5 / (i % 2 == 0 ? any.log_uniform(1e-15, 100) : any.uniform(0.001, 0.5));
    const GaussianPoint point{2 * (0.5 / sigma) * (0.5 / sigma + any.uniform(-1, 40)), sigma, 1};
    if (point.epsilon < 0) continue;
    const auto found = log_delta(point.a(), point.b());
    if (!found) continue;
    const Ball truth = log(test::exact_gaussian_delta(point.epsilon, sigma, 1));
    const double off = std::abs((Ball::of(found->value, numeric::Precision{800}) - truth).nearest());
    worst = std::max(worst, off / found->error);
  }
  EXPECT_LE(worst, 1);
  EXPECT_GE(worst, 0.1);  // and the bound is no empty one
}

}  // namespace
}  // namespace vernier::mechanism
