#include "vernier/accounting/loss/atoms_law.hpp"

#include <gtest/gtest.h>

#include "support/loss_checks.hpp"
#include "support/parameters.hpp"

namespace vernier::accounting {
namespace {

using test::ComplexBall;

// The masses over their sum, as they stand.
test::ExactTransform exact_atoms(const LossAtoms& atoms) {
  return [=](const ComplexBall& z) {
    ComplexBall total(0), sum(0);
    for (std::size_t i = 0; i < atoms.losses.size(); ++i) {
      total = total + atoms.masses[i];
      sum = sum + exp(z * atoms.losses[i]) * atoms.masses[i];
    }
    return sum / total;
  };
}

LossLaw law_of(const LossAtoms& atoms) { return LossLaw(NodeLaw(AtomsSource(atoms))); }

LossAtoms random_atoms(test::Parameters& random, int count) {
  LossAtoms atoms{{}, {}, 0};
  double loss = random.uniform(-3, 0);
  for (int i = 0; i < count; ++i) {
    atoms.losses.push_back(loss);
    atoms.masses.push_back(random.log_uniform(1e-30, 1) / count);
    loss += random.log_uniform(1e-4, 1);
  }
  return atoms;
}

TEST(AtomsLaw, HasTheTransformOfItsAtoms) {
  test::Parameters random(91);
  for (const int count : {1, 2, 30}) {
    const LossAtoms atoms = random_atoms(random, count);
    const LossLaw law = law_of(atoms);
    const test::ExactTransform exact = exact_atoms(atoms);
    for (const double theta : {0.0, 0.3, 5.0, 100.0, 1e4}) {
      const Cumulants found = law.cumulants(theta);
      EXPECT_LE((test::exact_cumulant(exact, theta) - found.value).size(), found.error) << count << " " << theta;
      EXPECT_LE(found.error, 1e-13 * (1 + theta)) << count << " " << theta;
      TiltedLoss tilted = law.tilted(theta);
      for (const double t : {0.0, 0.7, 30.0, 1e5}) test::expect_phi(tilted, exact, theta, t, 1e-13 + 1e-14 * theta);
    }
  }
}

TEST(AtomsLaw, TellsSlopesAndTheGreatestLoss) {
  test::Parameters random(92);
  const LossAtoms atoms = random_atoms(random, 30);
  const LossLaw law = law_of(atoms);
  EXPECT_EQ(law.greatest(), atoms.losses.back());
  const test::ExactCumulants truth(exact_atoms(atoms), 2);
  EXPECT_NEAR(law.cumulants(2).slope, truth.slope, 1e-9 * std::abs(truth.slope));
  EXPECT_NEAR(law.cumulants(2).curvature, truth.curvature, 1e-6 * truth.curvature);
}

TEST(AtomsLaw, StaysFiniteAtTheGreatestTilts) {
  const LossAtoms atoms{{-1, 0.5, 40}, {0.6, 0.4 - 1e-290, 1e-290}, 0};
  const LossLaw law = law_of(atoms);
  for (const double theta : {1.0, 16.0, 1e6, 1e12}) {
    const Cumulants found = law.cumulants(theta);
    EXPECT_LE((test::exact_cumulant(exact_atoms(atoms), theta) - found.value).size(), found.error) << theta;
    EXPECT_TRUE(std::isfinite(found.slope));
    const Frequency far = law.tilted(theta).at(1e12);
    EXPECT_LE(far.error, 1);
    EXPECT_TRUE(std::isfinite(far.value.real()));
  }
}

}  // namespace
}  // namespace vernier::accounting
