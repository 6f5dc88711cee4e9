#include "vernier/accounting/loss/zcdp_law.hpp"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "vernier/accounting/zcdp.hpp"
#include "vernier/mechanism/gaussian.hpp"

namespace vernier::accounting {
namespace {

// The delta of the law, at an epsilon of any sign.
double delta_of(const LossAtoms& law, double epsilon) {
  double sum = law.infinite_mass;
  for (std::size_t i = 0; i < law.losses.size(); ++i) {
    if (law.losses[i] > epsilon) sum -= law.masses[i] * std::expm1(epsilon - law.losses[i]);
  }
  return sum;
}

// The law of two of them: every sum of two losses.
LossAtoms twice(const LossAtoms& law) {
  LossAtoms both{{}, {}, 1 - (1 - law.infinite_mass) * (1 - law.infinite_mass)};
  for (std::size_t i = 0; i < law.losses.size(); ++i) {
    for (std::size_t j = 0; j < law.losses.size(); ++j) {
      both.losses.push_back(law.losses[i] + law.losses[j]);
      both.masses.push_back(law.masses[i] * law.masses[j]);
    }
  }
  return both;
}

// The exact delta of Gaussian noise, at an epsilon of any sign: delta(-e) = 1 - e^-e (1 - delta(e)).
double gaussian_delta(double rho, double epsilon) {
  const auto gaussian =
      mechanism::GaussianMechanism::at_scale(*Sigma::of(1), *privacy::L2Sensitivity::of(std::sqrt(2 * rho)));
  const double size = std::max(std::fabs(epsilon), 1e-10);
  const double delta = gaussian.curve().delta(*privacy::Epsilon::of(size)).lower;
  return epsilon >= 0 ? delta : -std::expm1(-size) + std::exp(-size) * delta;
}

// Randomised response with epsilon = sqrt(2 rho) is rho-zCDP as well.
double response_delta(double rho, double epsilon) {
  const double loss = std::sqrt(2 * rho);
  const double right = 1 / (1 + std::exp(-loss));
  return std::max(0.0, -right * std::expm1(epsilon - loss)) + std::max(0.0, -(1 - right) * std::expm1(epsilon + loss));
}

class ZcdpLaw : public testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(Rhos, ZcdpLaw, testing::Values(1e-6, 1e-3, 0.05, 0.5, 3.0, 40.0, 1000.0));

TEST_P(ZcdpLaw, FollowsTheConversionFromAbove) {
  const double rho = GetParam();
  const LossAtoms law = zcdp_law(rho, 1e-20);
  for (double z = 0; z < 12; z += 0.0317) {
    const double epsilon = rho + std::sqrt(2 * rho) * (z - 4);
    if (epsilon < 0 || zcdp_delta(rho, epsilon) < 1e-11) continue;
    EXPECT_LE(delta_of(law, epsilon), zcdp_delta(rho, epsilon) * (1 + 2e-3)) << epsilon;
    if (zcdp_delta(rho, epsilon) > 0.02 * zcdp_delta(rho, 0)) continue;  // convexity improves on the conversion there
    EXPECT_GE(delta_of(law, epsilon) * (1 + 1e-12), zcdp_delta(rho, epsilon)) << epsilon;
  }
}

TEST_P(ZcdpLaw, StandsAboveEveryReleaseOfThatRho) {
  const double rho = GetParam();
  const LossAtoms law = zcdp_law(rho, 1e-20);
  for (double z = -14; z < 14; z += 0.0517) {
    const double epsilon = rho + std::sqrt(2 * rho) * z;
    EXPECT_GE(delta_of(law, epsilon) * (1 + 1e-12), gaussian_delta(rho, epsilon)) << epsilon;
    EXPECT_GE(delta_of(law, epsilon) * (1 + 1e-12), response_delta(rho, epsilon)) << epsilon;
  }
}

TEST_P(ZcdpLaw, StandsAboveTwoGaussiansWhenComposedWithItself) {
  const double rho = GetParam();
  const LossAtoms both = twice(zcdp_law(rho, 1e-9));
  for (double z = -6; z < 6; z += 1.7) {
    const double epsilon = 2 * rho + std::sqrt(4 * rho) * z;
    EXPECT_GE(delta_of(both, epsilon) * (1 + 1e-12), gaussian_delta(2 * rho, epsilon)) << epsilon;
  }
}

TEST_P(ZcdpLaw, IsALawOfMassOneWithRisingLosses) {
  const LossAtoms law = zcdp_law(GetParam(), 1e-15);
  const double total = std::accumulate(law.masses.begin(), law.masses.end(), law.infinite_mass);
  EXPECT_NEAR(total, 1, 1e-12);
  EXPECT_LE(law.infinite_mass, 1e-15);
  EXPECT_GT(law.losses.size(), 50);
  EXPECT_LT(law.losses.size(), 4000);
  for (std::size_t i = 0; i < law.losses.size(); ++i) {
    EXPECT_GT(law.masses[i], 0);
    EXPECT_TRUE(i == 0 || law.losses[i] > law.losses[i - 1]);
  }
}

TEST(ZcdpLawEnds, AnswersForEveryRhoAndDelta) {
  for (const double rho : {1e-20, 1e-10, 1e4, 1e8}) {
    for (const double least : {1e-300, 1e-9, 0.5}) {
      const LossAtoms law = zcdp_law(rho, least);
      const double total = std::accumulate(law.masses.begin(), law.masses.end(), law.infinite_mass);
      EXPECT_NEAR(total, 1, 1e-9) << rho << " " << least;
      EXPECT_LE(law.infinite_mass, least * (1 + 1e-12)) << rho << " " << least;
      EXPECT_LT(law.losses.size(), 21000);
    }
  }
}

}  // namespace
}  // namespace vernier::accounting
