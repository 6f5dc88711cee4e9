#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "support/exact_gaussian.hpp"
#include "vernier/accounting/loss/zcdp_law.hpp"
#include "vernier/accounting/loss_sum.hpp"
#include "vernier/accounting/zcdp.hpp"

namespace vernier::accounting {
namespace {

TEST(ZcdpPart, IsOneLossWithTheRestOfItsMassInfinite) {
  const LossPart part = zcdp_part(0.3, 1e-15);
  EXPECT_EQ(part.times, 1);
  EXPECT_EQ(part.infinite.lower, part.infinite.upper);
  EXPECT_GT(part.infinite.upper, 0);
  EXPECT_LE(part.infinite.upper, 1e-15);
}

// rho is that of mu = 0.5, 1 and 4.
TEST(ZcdpPart, LiesBetweenItsGaussianAndItsConversion) {
  for (const double mu : {0.5, 1.0, 4.0}) {
    const double rho = mu * mu / 2;
    const LossSum sum({zcdp_part(rho, 1e-30)});
    for (const double deviations : {1.0, 3.0, 6.0}) {
      const double epsilon = rho + deviations * mu;
      const Bounds found = sum.delta(epsilon, 1e-6, LossSum::great_work);
      EXPECT_GE(found.upper, test::exact_gaussian_delta(epsilon, 1, mu).bounds().lower) << mu << " " << epsilon;
      EXPECT_LE(found.lower, zcdp_delta(rho, epsilon) * 1.01) << mu << " " << epsilon;
      EXPECT_LE(found.upper - found.lower, 1e-3 * found.upper) << mu << " " << epsilon;
    }
  }
}

TEST(ZcdpPart, TakesTheLeastDeltaThereIs) {
  EXPECT_LE(zcdp_part(1, 0).infinite.upper, 1e-300);
  EXPECT_GT(zcdp_part(1, 0).infinite.upper, 0);
}

// The quotients of masses in the tilted law must not underflow.
TEST(ZcdpPart, HasAtomsThatNoQuotientOfMassesLoses) {
  for (const double rho : {1e-20, 1e-6, 0.1, 1e3, 1e8}) {
    for (const double least : {1e-300, 1e-30, 0.4}) {
      const LossAtoms atoms = zcdp_law(rho, least);
      ASSERT_FALSE(atoms.masses.empty()) << rho << " " << least;
      EXPECT_GT(*std::min_element(atoms.masses.begin(), atoms.masses.end()), 1e-306) << rho << " " << least;
    }
  }
}

}  // namespace
}  // namespace vernier::accounting
