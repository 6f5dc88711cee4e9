#include "vernier/accounting/loss/discrete_gaussian_loss.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "support/loss_checks.hpp"
#include "support/parameters.hpp"

namespace vernier::accounting {
namespace {

LossLaw discrete_gaussian(double scale, std::int64_t sensitivity) {
  return LossLaw(DiscreteGaussianLoss(*noise::DiscreteGaussian::of(*Sigma::of(scale)),
                                      *privacy::IntegerSensitivity::of(sensitivity)));
}

struct Case {
  LossLaw law;
  test::ExactTransform exact;
  double scale;
  double sensitivity;
};

// Scales that can be summed term by term, most of them near the change of method at 1/2.
Case any_case(test::Parameters& any) {
  const double scale = any.uniform(0, 1) < 0.5 ? any.uniform(0.2, 1.5) : any.log_uniform(1e-2, 20);
  const auto sensitivity = static_cast<std::int64_t>(any.log_uniform(1, 1000));
  return {discrete_gaussian(scale, sensitivity), test::exact_discrete_gaussian(scale, static_cast<double>(sensitivity)),
          scale, static_cast<double>(sensitivity)};
}

// Half of them between two integers of the tilted noise, and a quarter right in the middle.
double any_theta(test::Parameters& any, const Case& here) {
  const double choice = any.uniform(0, 1);
  if (choice < 0.1) return 0;
  if (choice < 0.25) return (std::floor(any.uniform(0, 10)) + 0.5) / here.sensitivity;
  return choice < 0.6 ? any.uniform(0, 10) / here.sensitivity : any.log_uniform(1e-6, 1e4);
}

TEST(DiscreteGaussianLoss, HasItsCumulantsWithinTheirError) {
  test::Parameters any(541);
  for (int i = 0; i < 500; ++i) {
    const Case here = any_case(any);
    SCOPED_TRACE(here.scale);
    test::expect_cumulants(here.law, here.exact, any_theta(any, here), 6e-15);
  }
}

// The lattice of losses has the step D / s^2, so that phi comes back at multiples of 2 pi s^2 / D.
TEST(DiscreteGaussianLoss, HasItsCharacteristicFunctionWithinItsError) {
  test::Parameters any(542);
  for (int i = 0; i < 400; ++i) {
    const Case here = any_case(any);
    SCOPED_TRACE(here.scale);
    const double theta = any_theta(any, here);
    TiltedLoss tilted = here.law.tilted(theta);
    const double period = 2 * M_PI * here.scale * here.scale / here.sensitivity;
    const double on_lattice = period * std::floor(any.log_uniform(1, 1000));
    for (const double t : {0.0, any.log_uniform(1e-3, 1e6), any.uniform(0, 3) * period, on_lattice,
                           on_lattice + period * any.uniform(-0.4, 0.4) / (1 + here.scale)}) {
      test::expect_phi(tilted, here.exact, theta, t, 2e-14 + 1e-29 * t * tilted.centre());
    }
  }
}

// Where nothing can be summed: s = 1e6 and 1e12 differ from the Gaussian by less than e^(-1e12), up to t = pi s^2 / D.
TEST(DiscreteGaussianLoss, IsTheGaussianLossAtVastScales) {
  test::Parameters any(543);
  for (int i = 0; i < 500; ++i) {
    const double scale = any.log_uniform(10, 1e12);
    const auto sensitivity = static_cast<std::int64_t>(any.log_uniform(1, 9e15));
    const test::ComplexBall mu = test::ComplexBall(static_cast<double>(sensitivity)) / scale;
    const test::ExactTransform exact = test::exact_gaussian(mu * mu);
    const LossLaw law = discrete_gaussian(scale, sensitivity);
    const double theta = any.log_uniform(1e-6, 1e8), size = mu.size();
    test::expect_cumulants(law, exact, theta, 6e-15);
    TiltedLoss tilted = law.tilted(theta);
    const double t = std::min(any.log_uniform(0.01, 40) / size, 0.4 * M_PI * scale / size);
    test::expect_phi(tilted, exact, theta, t, 2e-14 + 1e-29 * t * tilted.centre());
  }
}

// Between 2^50 and 2^53 the product theta D keeps a part or none of its fraction in its head, the rest in its tail.
TEST(DiscreteGaussianLoss, KnowsWhereItLiesBetweenTwoIntegersAlsoFarOut) {
  test::Parameters any(545);
  for (int i = 0; i < 200; ++i) {
    const double scale = any.log_uniform(1e-3, 1);
    const auto sensitivity = static_cast<std::int64_t>(any.log_uniform(3, 1000));
    const double theta = any.log_uniform(0x1p50, 0x1p53) / static_cast<double>(sensitivity);
    SCOPED_TRACE(scale);
    test::expect_cumulants(discrete_gaussian(scale, sensitivity),
                           test::exact_discrete_gaussian(scale, static_cast<double>(sensitivity)), theta, 6e-15);
  }
}

double mean_distance(double scale, double sensitivity, double theta, double centre) {
  const double middle = std::nearbyint(theta * sensitivity);
  double whole = 0, sum = 0;
  for (double x = middle - std::ceil(12 * scale) - 2; x <= middle + 12 * scale + 2; ++x) {
    const double distance = (x - theta * sensitivity) / scale;
    const double mass = std::exp(-0.5 * distance * distance);
    whole += mass;
    sum += mass * std::abs(sensitivity * (sensitivity + 2 * x) / (2 * scale * scale) - centre);
  }
  return sum / whole;
}

TEST(DiscreteGaussianLoss, SpreadsByAtLeastTheMeanDistanceFromItsCentre) {
  test::Parameters any(544);
  for (int i = 0; i < 1000; ++i) {
    const double scale = any.log_uniform(0.2, 100);
    const auto sensitivity = static_cast<std::int64_t>(any.log_uniform(1, 100));
    const double theta = any.uniform(0, 3) / static_cast<double>(sensitivity);
    const TiltedLoss tilted = discrete_gaussian(scale, sensitivity).tilted(theta);
    const double exact = mean_distance(scale, static_cast<double>(sensitivity), theta, tilted.centre());
    EXPECT_GE(tilted.spread(), exact * (1 - 1e-9)) << scale << " " << sensitivity << " " << theta;
    EXPECT_LE(tilted.spread(), exact * (scale < 2 ? 1 + 1e-8 : 1.12) + 1e-9 * tilted.centre())
        << scale << " " << sensitivity << " " << theta;
  }
}

TEST(DiscreteGaussianLoss, StaysFiniteAtTheEndsOfItsDomain) {
  for (const double scale : {1e-3, 0.5, 1e12}) {
    for (const std::int64_t sensitivity : {std::int64_t{1}, std::int64_t{1} << 53}) {
      const LossLaw law = discrete_gaussian(scale, sensitivity);
      EXPECT_TRUE(std::isinf(law.greatest()));
      for (const double theta : {0.0, 1e-300, 0.3, 1e12}) {
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
