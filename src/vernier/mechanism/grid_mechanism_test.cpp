#include "vernier/mechanism/grid_mechanism.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "support/parameters.hpp"

namespace vernier::mechanism {
namespace {

using privacy::Delta;
using privacy::Epsilon;
using privacy::L1Sensitivity;
using privacy::L2Sensitivity;

double epsilon_of(const privacy::PrivacyCurve& curve, double delta) {
  return curve.epsilon(delta == 0 ? Delta::zero() : *Delta::of(delta))->upper;
}

// The greatest loss of geometric noise between two values that are as far apart as they can come to lie on the grid.
double loss_on_grid(const noise::LaplaceNoise& noise, double distance) {
  const auto steps = [&](double from) {
    return std::abs(noise.grid().nearest_unit(from + distance) - noise.grid().nearest_unit(from));
  };
  std::int64_t most = 0;
  for (int i = 0; i < 1000; ++i) most = std::max(most, steps(noise.grid().granularity() * i / 1000));
  return static_cast<double>(most) / noise.units_law().scale();
}

// A mechanism calibrated for epsilon 1e-6 loses 1.5 times that where its noise lies on a grid: the figure says so.
TEST(GridMechanism, SaysWhatTheNoiseOnTheGridCosts) {
  for (const auto& [epsilon, times] : {std::pair{1e-6, 1.4}, {1e-9, 700.0}}) {
    const auto continuous =
        LaplaceMechanism::calibrate(*Epsilon::of(epsilon), Delta::zero(), *L1Sensitivity::of(1.3)).value();
    const GridLaplace on = on_grid(continuous).value();
    EXPECT_EQ(on.scale(), continuous.law().scale());
    const double true_loss = loss_on_grid(on.noise(), 1.3);
    EXPECT_GT(true_loss, times * epsilon);
    EXPECT_GE(epsilon_of(on.curve(), 0), true_loss * (1 - 1e-12));
    EXPECT_LE(epsilon_of(on.curve(), 0), true_loss * (1 + 1e-9));
  }
}

TEST(GridMechanism, CostsLessThanAMillionthOfEpsilonMore) {
  test::Parameters any(71);
  for (int i = 0; i < 500; ++i) {
    const double sensitivity = any.log_uniform(1e-6, 1e6), epsilon = any.log_uniform(1e-7, 10);
    const auto laplace =
        LaplaceMechanism::calibrate(*Epsilon::of(epsilon), Delta::zero(), *L1Sensitivity::of(sensitivity)).value();
    EXPECT_LE(epsilon_of(on_grid(laplace)->curve(), 0), epsilon + 0x1p-20) << epsilon << " " << sensitivity;
  }
}

// What is calibrated on the grid keeps its budget there, and takes hardly more noise than the continuous law would.
TEST(GridMechanism, KeepsTheBudgetThatItIsCalibratedFor) {
  test::Parameters any(72);
  for (int i = 0; i < 300; ++i) {
    const double sensitivity = any.log_uniform(1e-9, 1e9), epsilon = any.log_uniform(1e-9, 10);
    SCOPED_TRACE(testing::Message() << epsilon << " " << sensitivity);
    const auto pure = calibrate_on_grid(*Epsilon::of(epsilon), Delta::zero(), *L1Sensitivity::of(sensitivity)).value();
    EXPECT_LE(epsilon_of(pure.curve(), 0), epsilon);
    EXPECT_LE(loss_on_grid(pure.noise(), sensitivity), epsilon * (1 + 1e-12));
    const double overhead = std::max(1e-6, 2e-11 / epsilon);
    EXPECT_LE(pure.scale(), sensitivity / epsilon * (1 + overhead));
    const auto gaussian =
        calibrate_on_grid(*Epsilon::of(epsilon), *Delta::of(1e-6), *L2Sensitivity::of(sensitivity)).value();
    EXPECT_LE(gaussian.curve().delta(*Epsilon::of(epsilon)).upper, 1e-6);
    const auto continuous =
        GaussianMechanism::calibrate(*Epsilon::of(epsilon), *Delta::of(1e-6), *L2Sensitivity::of(sensitivity));
    EXPECT_LE(gaussian.scale(), continuous->law().scale() * (1 + 2e-2));
  }
}

TEST(GridMechanism, RefusesWhatNoGridHolds) {
  EXPECT_FALSE(calibrate_on_grid(*Epsilon::of(1), Delta::zero(), *L2Sensitivity::of(1)));  // Gaussian noise is not pure
  const auto huge = LaplaceMechanism::at_scale(*LaplaceScale::of(1e-3), *L1Sensitivity::of(1e9));
  EXPECT_FALSE(on_grid(huge));  // 2^60 steps
}

}  // namespace
}  // namespace vernier::mechanism
