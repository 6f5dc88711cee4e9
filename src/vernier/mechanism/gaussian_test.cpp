// The calibrations of Gaussian noise: reference table, refusals, and where others fail.
#include "vernier/mechanism/gaussian.hpp"

#include <string>

#include <gtest/gtest.h>

#include "support/exact_gaussian.hpp"
#include "support/parameters.hpp"
#include "support/reference.hpp"
#include "vernier/core/text.hpp"
#include "vernier/mechanism/gaussian_curve.hpp"
#include "vernier/numeric/rational.hpp"

namespace vernier::mechanism {
namespace {

using numeric::Rational;
using privacy::Delta;
using privacy::Epsilon;
using privacy::L2Sensitivity;

Epsilon epsilon_of(double value) { return *Epsilon::of(value); }
Delta delta_of(double value) { return *Delta::of(value); }
L2Sensitivity sensitivity_of(double value) { return *L2Sensitivity::of(value); }

double sigma_for(double epsilon, double delta, double sensitivity,
                 GaussianCalibration calibration = GaussianCalibration::analytic) {
  const auto found =
      GaussianMechanism::calibrate(epsilon_of(epsilon), delta_of(delta), sensitivity_of(sensitivity), calibration);
  return found ? found->law().scale() : 0;
}

void expect_least_sigma(double epsilon, double delta, double sensitivity = 1) {
  SCOPED_TRACE(testing::Message() << "epsilon " << epsilon << " delta " << delta << " sensitivity " << sensitivity);
  const double sigma = sigma_for(epsilon, delta, sensitivity);
  ASSERT_GT(sigma, 0);
  EXPECT_TRUE(test::is_private(epsilon, delta, sigma, sensitivity));
  EXPECT_TRUE(test::is_not_private(epsilon, delta, sigma * (1 - 1e-12), sensitivity));
}

// Not below the decimal, and at most 1e-12 above it.
void expect_just_above(double found, const std::string& decimal) {
  const Rational truth = *Rational::of_decimal(decimal);
  const Rational value = *Rational::of(found);
  EXPECT_GE(value, truth);
  EXPECT_LE(value, truth + truth * *Rational::of_decimal("1e-12"));
}

GaussianCalibration named(const std::string& name) {
  if (name == "classical") return GaussianCalibration::classical;
  return name == "analytic" ? GaussianCalibration::analytic : GaussianCalibration::dwork_roth;
}

TEST(GaussianMechanism, AgreesWithTheReferenceTableOfScales) {
  const auto rows = test::reference_rows("gaussian_sigma.csv");
  ASSERT_GE(rows.size(), 60U);
  for (const auto& row : rows) {
    SCOPED_TRACE(row[0] + " " + row[1] + " " + row[2] + " " + row[3]);
    const auto number = [&](std::size_t i) { return read_number("value", row[i]).value(); };
    expect_just_above(sigma_for(number(1), number(2), number(3), named(row[0])), row[4]);
  }
}

TEST(GaussianMechanism, KnowsTheTextbookScales) {
  EXPECT_NEAR(sigma_for(1, 1e-6, 1), 4.2246788893, 1e-9);
  EXPECT_NEAR(sigma_for(0.5, 1e-6, 1, GaussianCalibration::classical), 10.597605, 1e-6);
  EXPECT_NEAR(sigma_for(0.5, 1e-6, 1, GaussianCalibration::dwork_roth), 10.595910, 1e-6);
}

// Google's C++ library answers with 2e-308 from epsilon 710 on, where e^epsilon overflows.
TEST(GaussianMechanism, HasNoiseWhereTheExponentialOfEpsilonOverflows) {
  for (const double epsilon : {709.0, 710.0, 711.0, 1e3, 1e4}) {
    for (const double delta : {1e-300, 1e-9, 1e-6, 0.5}) expect_least_sigma(epsilon, delta);
  }
  EXPECT_GT(sigma_for(710, 1e-9, 1), 0.02);
}

// The plain formula is NaN here, and a bisection that stops at NaN returns its lower end: no noise.
TEST(GaussianMechanism, IsANumberAtEpsilonTenThousand) { expect_least_sigma(1e4, 1e-6); }

// The plain formula is off by 2e-6, 5e-7 and 1e-7 at these, to the optimistic side.
TEST(GaussianMechanism, IsNotOptimisticWherePlainSubtractionIs) {
  expect_least_sigma(1e-8, 1e-12);
  expect_least_sigma(1e-10, 1e-10);
  expect_least_sigma(1e-6, 1e-15);
}

// diffprivlib's analytic mechanism: 4 % too little noise in the first, 1e282 times the delta in the second.
TEST(GaussianMechanism, IsRightWhereDiffprivlibIsNot) {
  expect_least_sigma(1, 1e-15);
  expect_least_sigma(100, 1e-300);
}

// autodp stops at an absolute error of 1e-12: 713 times the delta.
TEST(GaussianMechanism, IsRightWhereAutodpIsNot) { expect_least_sigma(0.1, 1e-15); }

// dp-accounting: 1e39 times the delta.
TEST(GaussianMechanism, IsRightWhereDpAccountingIsNot) { expect_least_sigma(1e-10, 1e-300); }

TEST(GaussianMechanism, IsAsGoodAtAnyUnitOfTheStatistic) {
  for (const double sensitivity : {1e-90, 1e-3, 7.0, 1e12, 1e90}) expect_least_sigma(1, 1e-6, sensitivity);
}

TEST(GaussianMechanism, RefusesDeltaZeroAndSaysWhy) {
  for (const auto calibration :
       {GaussianCalibration::analytic, GaussianCalibration::classical, GaussianCalibration::dwork_roth}) {
    const auto found = GaussianMechanism::calibrate(epsilon_of(0.5), Delta::zero(), sensitivity_of(1), calibration);
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().kind, ErrorKind::invalid);
    EXPECT_EQ(
        found.error().sentence(),
        "delta is 0, but Gaussian noise is not private at delta 0, whatever its scale; give a delta above 0, such "
        "as 1e-6, or use laplace or geometric noise");
  }
}

TEST(GaussianMechanism, RefusesTheOldCalibrationsFromEpsilonOneOnAndSaysWhy) {
  for (const double epsilon : {1.0, 2.0, 1e4}) {
    for (const auto calibration : {GaussianCalibration::classical, GaussianCalibration::dwork_roth}) {
      const auto found =
          GaussianMechanism::calibrate(epsilon_of(epsilon), delta_of(1e-6), sensitivity_of(1), calibration);
      ASSERT_FALSE(found);
      EXPECT_EQ(found.error().kind, ErrorKind::invalid);
      EXPECT_NE(found.error().sentence().find("epsilon is " + shortest(epsilon)), std::string::npos);
      EXPECT_NE(found.error().sentence().find("below 1 only; use the analytic one"), std::string::npos);
    }
  }
  EXPECT_GT(sigma_for(std::nextafter(1.0, 0.0), 1e-6, 1, GaussianCalibration::classical), 5);
}

TEST(GaussianMechanism, RefusesABudgetWhoseScaleIsOutOfRange) {
  const auto found = GaussianMechanism::calibrate(epsilon_of(1e-10), delta_of(1e-10), sensitivity_of(1e100));
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().kind, ErrorKind::invalid);
  EXPECT_NE(found.error().sentence().find("between 1e-100 and 1e+100"), std::string::npos);
}

// The proofs of the old ones are checked where they are accepted, up to delta 0.5.
TEST(GaussianMechanism, OrdersItsCalibrationsAndAllArePrivate) {
  test::Parameters any(81);
  for (int i = 0; i < 500; ++i) {
    const double epsilon = i % 2 == 0 ? any.log_uniform(1e-10, 0.9999) : any.uniform(0.5, 0.9999);
    const double delta = i % 3 == 0 ? any.uniform(0.01, 0.5) : any.log_uniform(1e-300, 0.5);
    SCOPED_TRACE(testing::Message() << epsilon << " " << delta);
    const double classical = sigma_for(epsilon, delta, 1, GaussianCalibration::classical);
    const double dwork_roth = sigma_for(epsilon, delta, 1, GaussianCalibration::dwork_roth);
    EXPECT_LT(dwork_roth, classical);
    EXPECT_LT(sigma_for(epsilon, delta, 1), dwork_roth);
    EXPECT_TRUE(test::is_private(epsilon, delta, dwork_roth, 1));
  }
}

TEST(GaussianMechanism, FindsTheLeastDoubleByBallsFromAnyGuess) {
  for (const double guess : {1e-200, 1.0, 4.2, 1e80}) {
    const auto found = analytic_sigma_by_balls(epsilon_of(1), delta_of(1e-6), sensitivity_of(1), guess);
    ASSERT_TRUE(found);
    EXPECT_TRUE(test::is_private(1, 1e-6, found->value(), 1));
    EXPECT_TRUE(test::is_not_private(1, 1e-6, std::nextafter(found->value(), 0), 1));
  }
}

TEST(GaussianMechanism, KnowsItsConcentratedPrivacy) {
  const auto mechanism = GaussianMechanism::at_scale(*Sigma::of(2), sensitivity_of(3));
  EXPECT_EQ(mechanism.rho(), (Bounds{1.125, 1.125}));
  const Bounds third = GaussianMechanism::at_scale(*Sigma::of(3), sensitivity_of(1)).rho();
  EXPECT_LE(*Rational::of(third.lower) * Rational::of(18), Rational::of(1));
  EXPECT_GE(*Rational::of(third.upper) * Rational::of(18), Rational::of(1));
  EXPECT_EQ(std::nextafter(third.lower, 1), third.upper);
}

void expect_least_sigma_at_random_points(int points, std::uint64_t seed) {
  test::Parameters any(seed);
  for (int i = 0; i < points && !testing::Test::HasFailure(); ++i) {
    const double delta = i % 2 == 0 ? any.log_uniform(1e-300, 0.5) : any.uniform(1e-6, 0.5);
    expect_least_sigma(any.log_uniform(1e-10, 1e4), delta, any.log_uniform(1e-12, 1e12));
  }
}

TEST(GaussianMechanism, GivesTheLeastScaleAtTheCornersOfTheDomain) {
  for (const double epsilon : {1e-10, 1e-5, 1e-2, 1.0, 30.0, 1e4}) {
    for (const double delta : {1e-300, 1e-150, 1e-11, 1e-10, 1e-9, 1e-3, 0.25, 0.5}) expect_least_sigma(epsilon, delta);
  }
}

TEST(GaussianMechanism, GivesTheLeastScaleAtRandomPointsOfTheWholeDomain) {
  expect_least_sigma_at_random_points(2000, 82);
}

TEST(HeavyGaussianMechanism, GivesTheLeastScaleAtAHundredThousandPoints) {
  expect_least_sigma_at_random_points(100'000, 83);
}

}  // namespace
}  // namespace vernier::mechanism
