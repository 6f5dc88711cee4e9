#include "vernier/accounting/loss/geometric_loss.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "support/loss_checks.hpp"
#include "support/parameters.hpp"
#include "vernier/accounting/loss/laplace_loss.hpp"
#include "vernier/accounting/loss/two_point_loss.hpp"

namespace vernier::accounting {
namespace {

LossLaw geometric(double scale, std::int64_t sensitivity) {
  return LossLaw(
      GeometricLoss(*noise::Geometric::of(*LaplaceScale::of(scale)), *privacy::IntegerSensitivity::of(sensitivity)));
}

struct Case {
  LossLaw law;
  test::ExactTransform exact;
  double a;
  int sensitivity;
};

Case any_case(test::Parameters& any) {
  const double scale = any.log_uniform(1e-2, 1e6);
  const int sensitivity = static_cast<int>(any.log_uniform(1, 300));
  return {geometric(scale, sensitivity), test::exact_geometric(test::ComplexBall(1) / scale, sensitivity), 1 / scale,
          sensitivity};
}

TEST(GeometricLoss, HasItsCumulantsWithinTheirError) {
  test::Parameters any(531);
  for (int i = 0; i < 500; ++i) {
    const Case here = any_case(any);
    test::expect_cumulants(here.law, here.exact, any.log_uniform(1e-6, 1e8), 8e-14);
    test::expect_cumulants(here.law, here.exact, any.log_uniform(1e-2, 1e2) / (here.a * here.sensitivity), 8e-14);
    test::expect_cumulants(here.law, here.exact, 0, 8e-14);
  }
}

// On the lattice, t = pi m / a, where 1 - r of the geometric series is smallest, and near it.
TEST(GeometricLoss, HasItsCharacteristicFunctionWithinItsError) {
  test::Parameters any(532);
  for (int i = 0; i < 400; ++i) {
    const Case here = any_case(any);
    const double theta = any.uniform(0, 1) < 0.2 ? 0 : any.log_uniform(1e-6, 1e4);
    TiltedLoss tilted = here.law.tilted(theta);
    const double on_lattice = M_PI / here.a * std::floor(any.log_uniform(1, 100));
    for (const double t : {0.0, any.log_uniform(1e-3, 1e6), any.log_uniform(0.1, 10) / (here.a * here.sensitivity),
                           on_lattice, on_lattice * (1 + any.log_uniform(1e-12, 1e-2))}) {
      test::expect_phi(tilted, here.exact, theta, t, 2e-14);
    }
  }
}

TEST(GeometricLoss, IsTheTwoPointLossAtSensitivityOne) {
  test::Parameters any(533);
  for (int i = 0; i < 500; ++i) {
    const double scale = any.log_uniform(1e-2, 1e6), theta = any.log_uniform(1e-3, 1e3);
    const LossLaw law = geometric(scale, 1);
    const LossLaw two(TwoPointLoss::of(*noise::Geometric::of(*LaplaceScale::of(scale))));
    const Cumulants one = law.cumulants(theta), other = two.cumulants(theta);
    EXPECT_LE(std::abs(one.value - other.value), one.error + other.error);
    EXPECT_NEAR(one.curvature, other.curvature, 1e-6 * other.curvature + 1e-290);
  }
}

// Far beyond what can be summed, D = 2^53 and scale D/2 are Laplace noise of scale 1/2, nearly.
TEST(GeometricLoss, IsTheLaplaceLossAtAVastSensitivity) {
  constexpr std::int64_t most = std::int64_t{1} << 53;
  const LossLaw law = geometric(1e12, most);
  const LossLaw limit(
      LaplaceLoss(noise::Laplace::of(*LaplaceScale::of(1e12)), *privacy::L1Sensitivity::of(static_cast<double>(most))));
  for (const double theta : {0.0, 1e-5, 0.1, 10.0}) {
    EXPECT_NEAR(law.cumulants(theta).value, limit.cumulants(theta).value, 1e-10 * limit.cumulants(theta).value);
    TiltedLoss one = law.tilted(theta), other = limit.tilted(theta);
    EXPECT_NEAR(one.centre(), other.centre(), 1e-10 * other.centre());
    EXPECT_NEAR(one.spread(), other.spread(), 1e-6 * other.spread());
    EXPECT_LE(std::abs(std::abs(one.at(0.5).value) - std::abs(other.at(0.5).value)), 1e-10);
  }
}

double mean_distance(double a, int sensitivity, double theta, double centre) {
  const double q = std::exp(-a), shrink = std::exp(-a * (1 + 2 * theta));
  const double last = std::pow(shrink, sensitivity);
  double whole = 1 + last, top = a * sensitivity;
  double sum = std::abs(top - centre) + last * std::abs(top + centre);
  for (int x = 1; x < sensitivity; ++x) {
    const double mass = (1 - q) * std::pow(shrink, x);
    whole += mass;
    sum += mass * std::abs(top - 2 * a * x - centre);
  }
  return sum / whole;
}

TEST(GeometricLoss, SpreadsByAtLeastTheMeanDistanceFromItsCentre) {
  test::Parameters any(534);
  for (int i = 0; i < 500; ++i) {
    const int sensitivity = static_cast<int>(any.log_uniform(1, 300));
    const double a = any.log_uniform(1e-6, 3), theta = any.log_uniform(1e-3, 100) / (1 + a * sensitivity);
    const TiltedLoss tilted = geometric(1 / a, sensitivity).tilted(theta);
    const double exact = mean_distance(a, sensitivity, theta, tilted.centre());
    const double rounding = 1e-15 * a * sensitivity;  // of the plain sum
    EXPECT_GE(tilted.spread(), exact * (1 - 1e-9) - rounding) << a << " " << sensitivity << " " << theta;
    EXPECT_LE(tilted.spread(), exact * 2.2 + rounding) << a << " " << sensitivity << " " << theta;
  }
}

TEST(GeometricLoss, StaysFiniteAtTheEndsOfItsDomain) {
  for (const double scale : {1e-3, 1.0, 1e12}) {
    for (const std::int64_t sensitivity : {std::int64_t{1}, std::int64_t{1} << 53}) {
      const LossLaw law = geometric(scale, sensitivity);
      for (const double theta : {0.0, 1e-300, 1.0, 1e12}) {
        const Cumulants cumulants = law.cumulants(theta);
        EXPECT_TRUE(std::isfinite(cumulants.value) && std::isfinite(cumulants.error) && cumulants.curvature > 0);
        TiltedLoss tilted = law.tilted(theta);
        EXPECT_TRUE(std::isfinite(tilted.spread()) && tilted.spread() > 0);
        for (const double t : {0.0, 1.0, 1e12}) EXPECT_LE(tilted.at(t).error, 1) << scale << " " << sensitivity;
      }
    }
  }
}

}  // namespace
}  // namespace vernier::accounting
