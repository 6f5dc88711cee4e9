#include "vernier/interval/noise/bentkus.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "support/integer_laws.hpp"

namespace vernier::interval {
namespace {

using testing::law_at;

constexpr double rare = 0.0225;

// Deviations that a sum of bounded variables reaches but for `rare`.
double point_of(double ratio) {
  const BentkusLaw law = BentkusLaw::of(ratio, rare * 1e-4);
  double chance = law.at_infinity();
  for (auto atom = law.atoms().rbegin(); atom != law.atoms().rend(); ++atom) {
    chance += atom->mass;
    if (chance > rare) return atom->place / std::sqrt(ratio);
  }
  return 0;
}

// Against the normal law's 2.005: 3.22 at a variance of one summand's square, and ever less with more.
TEST(Bentkus, ReachesAsFarAsItsSourceSays) {
  EXPECT_NEAR(point_of(1), 3.22, 0.06);
  EXPECT_NEAR(point_of(10), 2.74, 0.06);
  EXPECT_NEAR(point_of(100), 2.56, 0.06);
  EXPECT_NEAR(point_of(10'000), 2.48, 0.06);
}

TEST(Bentkus, HasAllOfItsMass) {
  const BentkusLaw law = BentkusLaw::of(20, 1e-8);
  double sum = law.at_infinity(), place = 0;
  for (const BentkusLaw::Atom& atom : law.atoms()) {
    EXPECT_GT(atom.place, place);
    EXPECT_GE(atom.mass, 0);
    place = atom.place, sum += atom.mass;
  }
  EXPECT_NEAR(sum, 1, 1e-12);
  EXPECT_LE(law.at_infinity(), 1e-8);
}

// P[sum >= x] of n centred yes-or-no variables is never above, at any x; of a law that were the Poisson one itself it
// would nearly be attained.
TEST(Bentkus, IsAboveTheBinomialLaw) {
  for (const double p : {0.02, 0.3}) {
    for (const int n : {5, 40, 400}) {
      const double step = 1 - p;
      const BentkusLaw law = BentkusLaw::of(n * p * (1 - p) / (step * step), 1e-6);
      double mass = std::pow(1 - p, n), tail = 1;
      for (int k = 0; k <= n && tail > 1e-6; ++k) {
        double bound = law.at_infinity();
        for (const BentkusLaw::Atom& atom : law.atoms()) bound += atom.place * step >= k - n * p ? atom.mass : 0;
        EXPECT_GE(bound, tail * (1 - 1e-9)) << p << " " << n << " " << k;
        tail -= mass;
        mass *= (n - k) * p / ((k + 1) * (1 - p));
      }
    }
  }
  EXPECT_FALSE(HasFailure());
}

template <class Law>
class BentkusWithNoise : public ::testing::Test {};
using Laws = ::testing::Types<noise::Geometric, noise::DiscreteGaussian>;
TYPED_TEST_SUITE(BentkusWithNoise, Laws);

TYPED_TEST(BentkusWithNoise, IsTheNoiseAloneWhereTheSumIsSmall) {
  const auto law = law_at<TypeParam>(1e6);
  const auto both = BoundedSumAndNoise<TypeParam>::of(law, *Probability::of(rare), 10);
  const auto noise = CombinedNoise<TypeParam>::of(law, *Alpha::of(2 * rare), 3);
  const Coefficients sizes{0.3, 0.2, 0.7};
  EXPECT_NEAR(both.reach({100, 1}, sizes) / noise.reach(sizes), 1, 0.002);
  EXPECT_GE(both.reach({100, 1}, sizes), noise.reach(sizes) * 0.999);
}

TYPED_TEST(BentkusWithNoise, IsTheSumAloneWhereTheNoiseIsSmall) {
  const auto law = law_at<TypeParam>(1);
  const auto both = BoundedSumAndNoise<TypeParam>::of(law, *Probability::of(rare), 10);
  EXPECT_NEAR(both.reach({1e10, 1e4}, {0.3, 0.2, 0.7}) / 1e5, 2.56, 0.08);
  EXPECT_GT(both.reach({1e10, 3e4}, {0.3, 0.2, 0.7}), both.reach({1e10, 1e4}, {0.3, 0.2, 0.7}));
  EXPECT_GT(both.reach({2e10, 1e4}, {0.3, 0.2, 0.7}), both.reach({1e10, 1e4}, {0.3, 0.2, 0.7}));
}

}  // namespace
}  // namespace vernier::interval
