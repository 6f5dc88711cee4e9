#include "vernier/accuracy/calibration.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "vernier/mechanism/geometric.hpp"
#include "vernier/mechanism/laplace.hpp"

namespace vernier::accuracy {
namespace {

using privacy::Delta;
using privacy::Epsilon;
using privacy::IntegerSensitivity;
using privacy::L1Sensitivity;
using privacy::L2Sensitivity;

const Alpha alpha = *Alpha::of(0.05);
const Cells one = Cells::one();

std::vector<Family> families() {
  const IntegerSensitivity whole = *IntegerSensitivity::of(2);
  return {LaplaceFamily{*L1Sensitivity::of(2)}, GeometricFamily{whole}, GaussianFamily{*L2Sensitivity::of(2)},
          DiscreteGaussianFamily{whole}};
}

Budget budget(double epsilon, double delta) { return {*Epsilon::of(epsilon), *Delta::of(delta)}; }

TEST(Calibration, GoesFromABudgetToAScaleAndBackWithinIt) {
  for (const Family& family : families()) {
    const auto found = calibrate(family, budget(0.7, 1e-6), alpha, one);
    ASSERT_TRUE(found) << family.index();
    EXPECT_EQ(found->epsilon, 0.7);
    EXPECT_EQ(found->delta, 1e-6);
    const auto back = calibrate(family, ScaleAtDelta{found->scale, *Delta::of(1e-6)}, alpha, one);
    ASSERT_TRUE(back);
    EXPECT_LE(back->epsilon, 0.7 * (1 + 1e-12));
    EXPECT_GE(back->epsilon, 0.7 * (1 - 1e-11));
    EXPECT_EQ(back->accuracy.accuracy, found->accuracy.accuracy);
    const auto delta = calibrate(family, ScaleAtEpsilon{found->scale, *Epsilon::of(0.7)}, alpha, one);
    ASSERT_TRUE(delta);
    EXPECT_LE(delta->delta, 1e-6);
    EXPECT_GE(delta->delta, 1e-6 * (1 - 1e-9));
  }
}

TEST(Calibration, MeetsTheAccuracyThatWasAsked) {
  for (const Family& family : families()) {
    const auto found = calibrate(family, Target{*Accuracy::of(50), *Delta::of(1e-6)}, alpha, one);
    ASSERT_TRUE(found) << family.index();
    EXPECT_EQ(found->accuracy.accuracy, 50);
    const auto again = calibrate(family, ScaleAtDelta{found->scale, *Delta::of(1e-6)}, alpha, one);
    ASSERT_TRUE(again);
    EXPECT_EQ(again->epsilon, found->epsilon);
    EXPECT_LE(again->accuracy.accuracy, 50 * (1 + 1e-12));
    const auto wider = calibrate(family, ScaleAtDelta{found->scale * 1.001, *Delta::of(1e-6)}, alpha, one);
    EXPECT_GT(wider->accuracy.accuracy, 50);
  }
}

TEST(Calibration, GivesTheDocumentsEpsilonBesideTheExactOneForGeometricNoiseOnly) {
  for (const Family& family : families()) {
    const auto found = calibrate(family, Target{*Accuracy::of(30), *Delta::of(1e-9)}, alpha, one);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->epsilon_continuous.has_value(), std::holds_alternative<GeometricFamily>(family));
  }
  const Family geometric = families()[1];
  const auto found = calibrate(geometric, Target{*Accuracy::of(30), Delta::zero()}, alpha, one);
  EXPECT_NEAR(*found->epsilon_continuous, 2 * std::log(20) / 30, 1e-15);
  EXPECT_GT(*found->epsilon_continuous, found->epsilon);
  const auto exact = calibrate(geometric, Target{*Accuracy::of(0), Delta::zero()}, alpha, one);
  ASSERT_TRUE(exact);
  EXPECT_FALSE(exact->epsilon_continuous);
}

TEST(Calibration, GivesRhoToTheGaussiansOnly) {
  const auto rho = [](const Family& family) {
    return calibrate(family, ScaleAtDelta{4, *Delta::of(1e-6)}, alpha, one)->rho;
  };
  EXPECT_FALSE(rho(families()[0]));
  EXPECT_FALSE(rho(families()[1]));
  EXPECT_EQ(rho(families()[2]), 0.125);
  EXPECT_EQ(rho(families()[3]), 0.125);
}

TEST(Calibration, NeverGivesAStandardDeviationOfZero) {
  for (const Family& family : families()) {
    const auto found = calibrate(family, ScaleAtDelta{0.001, *Delta::of(1e-6)}, alpha, one);
    ASSERT_TRUE(found) << family.index();
    EXPECT_GT(found->standard_deviation, 0);
  }
  EXPECT_EQ(calibrate(families()[2], ScaleAtDelta{0.3, *Delta::of(1e-6)}, alpha, one)->standard_deviation, 0.3);
  EXPECT_NEAR(calibrate(families()[0], ScaleAtDelta{3, Delta::zero()}, alpha, one)->standard_deviation, std::sqrt(18),
              1e-15);
}

TEST(Calibration, PassesRefusalsOn) {
  const Family gaussian = GaussianFamily{*L2Sensitivity::of(1), mechanism::GaussianCalibration::classical};
  EXPECT_FALSE(calibrate(gaussian, budget(1, 1e-6), alpha, one));
  EXPECT_TRUE(calibrate(gaussian, budget(0.5, 1e-6), alpha, one));
  for (const Family& family : families()) {
    EXPECT_FALSE(calibrate(family, ScaleAtDelta{0, *Delta::of(1e-6)}, alpha, one)) << family.index();
    EXPECT_FALSE(calibrate(family, ScaleAtEpsilon{std::nan(""), *Epsilon::of(1)}, alpha, one)) << family.index();
  }
}

}  // namespace
}  // namespace vernier::accuracy
