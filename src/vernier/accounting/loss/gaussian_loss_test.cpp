#include "vernier/accounting/loss/gaussian_loss.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "support/loss_checks.hpp"
#include "support/parameters.hpp"

namespace vernier::accounting {
namespace {

struct Case {
  LossLaw law;
  test::ExactTransform exact;
  double mu;
};

// One to four Gaussians, a number of times each.
Case any_case(test::Parameters& any) {
  GaussianSum sum;
  test::ComplexBall exact(0);
  for (double left = std::floor(any.uniform(1, 5)); left > 0; --left) {
    const double scale = any.log_uniform(1e-2, 1e6), sensitivity = any.log_uniform(1e-2, 1e3);
    const double times = std::floor(any.log_uniform(1, 1e6));
    sum.add(*Sigma::of(scale), *privacy::L2Sensitivity::of(sensitivity), times);
    const test::ComplexBall mu = test::ComplexBall(sensitivity) / scale;
    exact = exact + mu * mu * times;
  }
  return {LossLaw(GaussianLoss(sum.square())), test::exact_gaussian(exact), std::sqrt(sum.square().value)};
}

TEST(GaussianLoss, HasItsCumulantsWithinTheirError) {
  test::Parameters any(511);
  for (int i = 0; i < 400; ++i) {
    const Case here = any_case(any);
    test::expect_cumulants(here.law, here.exact, any.log_uniform(1e-6, 1e8), 2e-15);
    test::expect_cumulants(here.law, here.exact, 0, 2e-15);
  }
}

TEST(GaussianLoss, HasItsCharacteristicFunctionWithinItsError) {
  test::Parameters any(512);
  for (int i = 0; i < 600; ++i) {
    const Case here = any_case(any);
    const double theta = any.uniform(0, 1) < 0.2 ? 0 : any.log_uniform(1e-6, 10) / here.mu;
    TiltedLoss tilted = here.law.tilted(theta);
    for (const double t : {0.0, any.log_uniform(1e-3, 1e6), any.log_uniform(0.01, 40) / here.mu}) {
      const double of_the_centre = 4e-15 * t * tilted.centre();  // it is known as well as mu^2 is
      test::expect_phi(tilted, here.exact, theta, t, 8e-15 + of_the_centre);
    }
  }
}

TEST(GaussianLoss, DiesAwayAndSaysSo) {
  TiltedLoss tilted = LossLaw(GaussianLoss({1, 0})).tilted(2);
  EXPECT_LE(tilted.at(1e12).error, 1e-200);
  EXPECT_LE(tilted.beyond(1e12), 1e-200);
  EXPECT_NEAR(tilted.beyond(3), std::exp(-4.5), 1e-15);
}

TEST(GaussianLoss, TakesTheErrorOfItsSquareIntoAccount) {
  const double claimed = 1e-9;
  const test::ExactTransform exact = test::exact_gaussian(1 + 0.999 * claimed);
  const LossLaw law(GaussianLoss({1, claimed}));
  test::expect_cumulants(law, exact, 3, 2 * claimed);
  for (const double theta : {0.0, 3.0}) {
    TiltedLoss tilted = law.tilted(theta);
    for (const double t : {0.1, 1.0, 5.0}) test::expect_phi(tilted, exact, theta, t, 20 * claimed);
  }
}

TEST(GaussianLoss, SpreadsByTheMeanDistanceFromItsCentre) {
  const double exact = std::sqrt(2 / M_PI) * 0.3;
  const double found = LossLaw(GaussianLoss({0.09, 0})).tilted(5).spread();
  EXPECT_GE(found, exact);
  EXPECT_LE(found, exact * 1.0001);
}

}  // namespace
}  // namespace vernier::accounting
