#include "vernier/mechanism/discrete_gaussian.hpp"

#include <cmath>
#include <functional>
#include <string>

#include <gtest/gtest.h>

#include "support/reference.hpp"
#include "vernier/core/text.hpp"

namespace vernier::mechanism {
namespace {

using privacy::Delta;
using privacy::Epsilon;
using privacy::IntegerSensitivity;

DiscreteGaussianMechanism at_scale(double scale, std::int64_t sensitivity) {
  return *DiscreteGaussianMechanism::at_scale(*Sigma::of(scale), *IntegerSensitivity::of(sensitivity));
}

double calibrated(double epsilon, double delta, std::int64_t sensitivity = 1) {
  const auto mechanism = DiscreteGaussianMechanism::calibrate(*Epsilon::of(epsilon), *Delta::of(delta),
                                                              *IntegerSensitivity::of(sensitivity));
  return mechanism->law().scale();
}

// Every discrete Gaussian row of a table: mechanism, scale, sensitivity, given, wanted.
void for_rows(const char* file, const std::function<void(const DiscreteGaussianMechanism&, double, double)>& check) {
  const auto rows = test::reference_rows(file);
  int compared = 0;
  for (const auto& row : rows) {
    if (row[0] != "discrete-gaussian") continue;
    SCOPED_TRACE(row[1] + " " + row[2] + " " + row[3]);
    const auto number = [&](std::size_t column) { return read_number("value", row[column]).value(); };
    check(at_scale(number(1), read_integer("sensitivity", row[2]).value()), number(3), number(4));
    ++compared;
  }
  EXPECT_GE(compared, 10);
}

// The table has 25 digits; read as a double each value may be half an ulp off.
void expect_around(const Bounds& bounds, double exact) {
  EXPECT_LE(bounds.lower, std::nextafter(exact, 1e300));
  EXPECT_GE(bounds.upper, std::nextafter(exact, 0));
  EXPECT_LE(bounds.upper - bounds.lower, 1e-12 * bounds.upper);
}

TEST(DiscreteGaussianMechanism, AgreesWithTheReferenceTableOfDeltas) {
  for_rows("delta_of_scale.csv", [](const DiscreteGaussianMechanism& mechanism, double epsilon, double delta) {
    expect_around(mechanism.curve().delta(*Epsilon::of(epsilon)), delta);
  });
}

TEST(DiscreteGaussianMechanism, AgreesWithTheReferenceTableOfEpsilons) {
  for_rows("epsilon_of_scale.csv", [](const DiscreteGaussianMechanism& mechanism, double delta, double epsilon) {
    expect_around(*mechanism.curve().epsilon(*Delta::of(delta)), epsilon);
  });
}

TEST(DiscreteGaussianMechanism, HasTheRhoOfCanonneKamathAndSteinke) {
  EXPECT_EQ(at_scale(2, 3).rho(), (Bounds{1.125, 1.125}));
  const Bounds rho = at_scale(3, 1).rho();
  EXPECT_LT(rho.lower, rho.upper);
  EXPECT_NEAR(rho.upper, 1.0 / 18, 1e-16);
}

// The bare least scales would be 0.223495, 0.4039 and 0.158, each beside a kink.
TEST(DiscreteGaussianMechanism, TakesTheScaleFromWhichOnAllSatisfyTheBudget) {
  EXPECT_NEAR(calibrated(10, 0.01), 0.379431, 1e-6);
  EXPECT_NEAR(calibrated(3, 0.1), 0.6316, 1e-4);
  EXPECT_NEAR(calibrated(20, 1e-6), 0.274, 1e-3);
}

// Balle and Wang's sigma for (1, 1e-6) is 4.2247: at that scale the discrete law exceeds delta by 2 %.
TEST(DiscreteGaussianMechanism, DoesNotBorrowTheContinuousScale) {
  EXPECT_GT(calibrated(1, 1e-6), 4.2247);
  EXPECT_GT(at_scale(4.2247, 1).curve().delta(*Epsilon::of(1)).lower, 1.01e-6);
}

// e^epsilon overflows from 710 on; nothing here depends on it.
TEST(DiscreteGaussianMechanism, HasNoiseAtLargeEpsilon) {
  for (const double epsilon : {709.0, 710.0, 711.0, 5e3, 1e4}) {
    const double scale = calibrated(epsilon, 1e-9);
    EXPECT_GE(scale, 0.999 * std::sqrt(0.5 / epsilon)) << epsilon;
    EXPECT_LE(at_scale(scale, 1).curve().delta(*Epsilon::of(epsilon)).upper, 1e-9) << epsilon;
  }
}

TEST(DiscreteGaussianMechanism, RefusesDeltaZeroInASentence) {
  const auto mechanism =
      DiscreteGaussianMechanism::calibrate(*Epsilon::of(1), Delta::zero(), *IntegerSensitivity::of(1));
  ASSERT_FALSE(mechanism);
  EXPECT_EQ(mechanism.error().kind, ErrorKind::invalid);
  EXPECT_NE(mechanism.error().sentence().find("delta is 0"), std::string::npos);
  const auto epsilon = at_scale(5, 1).curve().epsilon(Delta::zero());
  ASSERT_FALSE(epsilon);
  EXPECT_EQ(epsilon.error().kind, ErrorKind::invalid);
  EXPECT_NE(epsilon.error().sentence().find("no finite epsilon"), std::string::npos);
}

TEST(DiscreteGaussianMechanism, RefusesScalesOutsideTheLawsDomain) {
  EXPECT_FALSE(DiscreteGaussianMechanism::at_scale(*Sigma::of(1e-4), *IntegerSensitivity::of(1)));
  EXPECT_FALSE(DiscreteGaussianMechanism::at_scale(*Sigma::of(2e12), *IntegerSensitivity::of(1)));
  const auto beyond = DiscreteGaussianMechanism::calibrate(*Epsilon::of(1e-10), *Delta::of(1e-300),
                                                           *IntegerSensitivity::of(std::int64_t{1} << 53));
  ASSERT_FALSE(beyond);
  EXPECT_EQ(beyond.error().kind, ErrorKind::invalid);
  EXPECT_EQ(beyond.error().sentence(),
            "epsilon 1e-10 and delta 1e-300 at sensitivity 9007199254740992 need a scale above 1e+12, the greatest of "
            "an integer law; allow a larger epsilon or delta");
}

}  // namespace
}  // namespace vernier::mechanism
