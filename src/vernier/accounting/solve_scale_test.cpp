#include "vernier/accounting/solve_scale.hpp"

#include <gtest/gtest.h>

namespace vernier::accounting {
namespace {

using privacy::Delta;
using privacy::Epsilon;
using privacy::Neighbours;

Event gaussian(double scale, std::int64_t times) {
  return Event::of(mechanism::GaussianMechanism::at_scale(*Sigma::of(scale), *privacy::L2Sensitivity::of(1)),
                   Neighbours::add_remove, *Times::of(times))
      .value();
}

Event laplace(double scale, std::int64_t times) {
  return Event::of(mechanism::LaplaceMechanism::at_scale(*LaplaceScale::of(scale), *privacy::L1Sensitivity::of(1)),
                   Neighbours::add_remove, *Times::of(times))
      .value();
}

Event geometric(double scale, std::int64_t times) {
  const auto sensitivity = *privacy::IntegerSensitivity::of(1);
  return Event::of(mechanism::GeometricMechanism::at_scale(*LaplaceScale::of(scale), sensitivity).value(),
                   Neighbours::add_remove, *Times::of(times))
      .value();
}

Event pure(double epsilon) { return Event::of(PureStatement{*Epsilon::of(epsilon)}, Neighbours::add_remove).value(); }

double delta_at(const CompositionAt& composition, double scale, double epsilon) {
  return composition(scale).value().delta(*Epsilon::of(epsilon)).value().bounds.upper;
}

// The scale meets the budget, and one that is a little more than 1e-9 below does not.
void expect_least(const CompositionAt& composition, ScaleRange range, double epsilon, double delta) {
  const Result<double> scale = solve_scale(composition, range, *Epsilon::of(epsilon), *Delta::of(delta));
  ASSERT_TRUE(scale) << scale.error().sentence();
  EXPECT_LE(delta_at(composition, *scale, epsilon), delta);
  EXPECT_GT(delta_at(composition, *scale * (1 - 1e-7), epsilon), delta);
}

TEST(SolveScale, OfOneGaussianIsItsCalibration) {
  const CompositionAt composition = [](double scale) { return Accountant::of({gaussian(scale, 1)}); };
  for (const auto& [epsilon, delta] : {std::pair{0.5, 1e-5}, {1.0, 1e-6}, {10.0, 1e-12}, {0.01, 0.1}}) {
    const auto calibrated = mechanism::GaussianMechanism::calibrate(*Epsilon::of(epsilon), *Delta::of(delta),
                                                                    *privacy::L2Sensitivity::of(1));
    const Result<double> scale = solve_scale(composition, real_scales, *Epsilon::of(epsilon), *Delta::of(delta));
    ASSERT_TRUE(scale);
    EXPECT_NEAR(*scale / calibrated->law().scale(), 1, 2e-9);
    EXPECT_LE(delta_at(composition, *scale, epsilon), delta);
  }
}

TEST(SolveScale, OfManyReleasesIsTheLeastThatMeetsTheBudget) {
  const CompositionAt gaussians = [](double scale) { return Accountant::of({gaussian(scale, 1000)}); };
  expect_least(gaussians, real_scales, 1, 1e-6);
  const CompositionAt geometrics = [](double scale) { return Accountant::of({geometric(scale, 20)}); };
  expect_least(geometrics, integer_scales, 1, 1e-4);
}

TEST(SolveScale, WithoutADeltaIsTheSumOfEpsilons) {
  const CompositionAt composition = [](double scale) { return Accountant::of({laplace(scale, 20)}); };
  const Result<double> scale = solve_scale(composition, real_scales, *Epsilon::of(1), Delta::zero());
  ASSERT_TRUE(scale);
  EXPECT_NEAR(*scale, 20, 1e-7);
  EXPECT_GE(*scale, 20);
}

TEST(SolveScale, IsTheEndOfTheRangeWhereEveryScaleMeetsTheBudget) {
  const CompositionAt composition = [](double scale) { return Accountant::of({geometric(scale, 1)}); };
  const Result<double> scale = solve_scale(composition, {0.5, 1e12}, *Epsilon::of(5), *Delta::of(1e-6));
  ASSERT_TRUE(scale);
  EXPECT_EQ(*scale, 0.5);
}

TEST(SolveScale, IsRefusedWhereNoScaleMeetsTheBudget) {
  const CompositionAt composition = [](double scale) { return Accountant::of({laplace(scale, 3), pure(2)}); };
  const Result<double> scale = solve_scale(composition, real_scales, *Epsilon::of(1), *Delta::of(1e-6));
  ASSERT_FALSE(scale);
  EXPECT_EQ(scale.error().kind, ErrorKind::exhausted);
  EXPECT_NE(scale.error().sentence().find("no scale up to 1e+100 is certified to meet this epsilon and delta"),
            std::string::npos);
}

TEST(SolveScale, PassesOnWhatIsWrongWithTheComposition) {
  const CompositionAt composition = [](double) -> Result<Accountant> { return invalid("it is wrong"); };
  const Result<double> scale = solve_scale(composition, real_scales, *Epsilon::of(1), *Delta::of(1e-6));
  ASSERT_FALSE(scale);
  EXPECT_EQ(scale.error().sentence(), "it is wrong");
}

}  // namespace
}  // namespace vernier::accounting
