#include "vernier/accounting/loss/two_point_loss.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "support/loss_checks.hpp"
#include "support/parameters.hpp"

namespace vernier::accounting {
namespace {

struct Case {
  LossLaw law;
  test::ExactTransform exact;
  double epsilon;
};

Case any_case(test::Parameters& any) {
  if (any.uniform(0, 1) < 0.5) {
    const double epsilon = any.log_uniform(1e-10, 1e4);
    return {LossLaw(TwoPointLoss::of(*privacy::Epsilon::of(epsilon))), test::exact_two_point(epsilon), epsilon};
  }
  const double scale = any.log_uniform(1e-2, 1e6);
  const noise::Geometric noise = *noise::Geometric::of(*LaplaceScale::of(scale));
  return {LossLaw(TwoPointLoss::of(noise)), test::exact_two_point(test::ComplexBall(1) / scale), 1 / scale};
}

TEST(TwoPointLoss, HasItsCumulantsWithinTheirError) {
  test::Parameters any(501);
  for (int i = 0; i < 400; ++i) {
    const Case here = any_case(any);
    test::expect_cumulants(here.law, here.exact, any.log_uniform(1e-6, 1e8), 4e-15);
    test::expect_cumulants(here.law, here.exact, 0, 4e-15);
  }
}

TEST(TwoPointLoss, HasItsCharacteristicFunctionWithinItsError) {
  test::Parameters any(502);
  for (int i = 0; i < 600; ++i) {
    const Case here = any_case(any);
    const double theta = any.uniform(0, 1) < 0.2 ? 0 : any.log_uniform(1e-6, 1e8);
    TiltedLoss tilted = here.law.tilted(theta);
    for (const double t : {0.0, any.log_uniform(1e-3, 1e6), any.log_uniform(0.1, 10) / here.epsilon}) {
      test::expect_phi(tilted, here.exact, theta, t, 2e-15);
    }
  }
}

TEST(TwoPointLoss, SpreadsByTheMeanDistanceFromItsCentre) {
  test::Parameters any(503);
  for (int i = 0; i < 1000; ++i) {
    const double epsilon = any.log_uniform(1e-3, 10), theta = any.log_uniform(1e-3, 10);
    const TiltedLoss tilted = LossLaw(TwoPointLoss::of(*privacy::Epsilon::of(epsilon))).tilted(theta);
    const double odds = std::exp(-(1 + 2 * theta) * epsilon);
    const double exact =
        (std::abs(epsilon - tilted.centre()) + odds * std::abs(epsilon + tilted.centre())) / (1 + odds);
    ASSERT_GE(tilted.spread(), exact * (1 - 1e-13));
    ASSERT_LE(tilted.spread(), exact * (1 + 1e-11));
  }
}

TEST(TwoPointLoss, StaysFiniteAtTheEndsOfItsDomain) {
  for (const double epsilon : {1e-10, 1.0, 1e4}) {
    const LossLaw law(TwoPointLoss::of(*privacy::Epsilon::of(epsilon)));
    EXPECT_EQ(law.greatest(), epsilon);
    for (const double theta : {0.0, 1.0, 1e12}) {
      const Cumulants cumulants = law.cumulants(theta);
      EXPECT_TRUE(std::isfinite(cumulants.value) && std::isfinite(cumulants.error) && cumulants.curvature > 0);
      EXPECT_LE(law.tilted(theta).at(1e12).error, 1);
    }
  }
}

}  // namespace
}  // namespace vernier::accounting
