#include <cmath>

#include <gtest/gtest.h>

#include "vernier/accuracy/accuracy.hpp"
#include "vernier/accuracy/calibration.hpp"
#include "vernier/mechanism/geometric.hpp"

namespace vernier::accuracy {
namespace {

using privacy::Delta;
using privacy::Epsilon;
using privacy::IntegerSensitivity;

Result<Bounds> exact(double accuracy, double alpha, std::int64_t sensitivity, double delta = 0) {
  return geometric_epsilon(*Accuracy::of(accuracy), *Alpha::of(alpha), Cells::one(), *Delta::of(delta),
                           *IntegerSensitivity::of(sensitivity));
}

Result<Bounds> continuous(double accuracy, double alpha, std::int64_t sensitivity) {
  return geometric_epsilon_continuous(*Accuracy::of(accuracy), *Alpha::of(alpha), Cells::one(),
                                      *IntegerSensitivity::of(sensitivity));
}

double accuracy_at(double epsilon, double alpha, double delta = 0) {
  const auto mechanism =
      mechanism::GeometricMechanism::calibrate(*Epsilon::of(epsilon), *Delta::of(delta), *IntegerSensitivity::of(1));
  return of(mechanism->law(), *Alpha::of(alpha), Cells::one())->accuracy;
}

// "Geometric Mechanism Accuracy" (2020), section 0.1.
TEST(Budget, OfTheDocumentIsThatOfLaplaceNoise) {
  const Bounds epsilon = *continuous(12, 0.05, 3);
  EXPECT_NEAR(epsilon.upper, 3 * std::log(20) / 12, 1e-15);
  EXPECT_LT(epsilon.lower, epsilon.upper);
  EXPECT_GT(epsilon.lower, epsilon.upper * (1 - 1e-15));
}

TEST(Budget, IsTheLeastThatKeepsTheAccuracy) {
  for (const double delta : {0.0, 1e-6, 1e-4}) {
    for (const double a : {1.0, 12.0, 539.0}) {
      const Bounds epsilon = *exact(a, 0.05, 1, delta);
      EXPECT_EQ(accuracy_at(epsilon.upper * (1 + 1e-12), 0.05, delta), a);
      EXPECT_EQ(accuracy_at(epsilon.lower * (1 - 1e-12), 0.05, delta), a + 1);
    }
  }
}

// With so much noise the two neighbours differ by less than delta at any epsilon.
TEST(Budget, IsZeroWhereDeltaAloneIsEnough) { EXPECT_EQ(*exact(539, 0.05, 1, 0.1), (Bounds{0, 0})); }

TEST(Budget, IsBelowTheDocuments) {
  for (const double a : {1.0, 12.0, 539.0}) EXPECT_LT(exact(a, 0.05, 5)->upper, continuous(a, 0.05, 5)->lower);
}

// P[abs(X) > 0] = 2q / (1 + q) = 1/2 at q = 1/3.
TEST(Budget, OfAccuracyZeroExistsOnlyExactly) {
  EXPECT_NEAR(exact(0, 0.5, 1)->upper, std::log(3), 1e-12);
  ASSERT_FALSE(continuous(0, 0.5, 1));
  EXPECT_EQ(continuous(0, 0.5, 1).error().kind, ErrorKind::invalid);
}

TEST(Budget, PassesOnWhyThereIsNoScale) {
  const auto epsilon = exact(12.5, 0.05, 1);
  ASSERT_FALSE(epsilon);
  EXPECT_NE(epsilon.error().sentence().find("write 12"), std::string::npos);
}

}  // namespace
}  // namespace vernier::accuracy
