#include "vernier/denoise/weighted_noise.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "support/integer_laws.hpp"
#include "vernier/denoise/smooth_noise.hpp"

namespace vernier::denoise {
namespace {

using noise::DiscreteGaussian;
using noise::Geometric;
using testing::law_at;
using Numbers = std::vector<double>;

// ---- the law of a sum of whole multiples of draws, term by term

// Masses from -reach to reach; what is left out is below 1e-14 each time.
struct Masses {
  std::int64_t reach = 0;
  Numbers at{1.0};
  double outside(double x) const {
    double sum = 0;
    for (std::int64_t k = -reach; k <= reach; ++k) {
      if (std::abs(static_cast<double>(k)) > x) sum += at[static_cast<std::size_t>(k + reach)];
    }
    return sum;
  }
};

Masses with_draw(const Masses& before, std::int64_t weight, const IntegerLaw& law) {
  return std::visit(
      [&](const auto& one) {
        const std::int64_t reach = *one.two_sided_quantile(*Probability::of(1e-14));
        Masses sum{before.reach + reach * weight, {}};
        sum.at.assign(static_cast<std::size_t>(2 * sum.reach + 1), 0.0);
        for (std::int64_t x = -reach; x <= reach; ++x) {
          const double mass = one.mass(x).upper;
          const auto shift = static_cast<std::size_t>(weight * (x + reach));
          for (std::size_t k = 0; k < before.at.size(); ++k) sum.at[k + shift] += mass * before.at[k];
        }
        return sum;
      },
      law);
}

struct Combination {
  std::vector<std::int64_t> weights;
  std::vector<IntegerLaw> laws;
  Masses masses() const {
    Masses sum;
    for (std::size_t i = 0; i < weights.size(); ++i) sum = with_draw(sum, weights[i], laws[i]);
    return sum;
  }
  Reach reach(double alpha) const {
    Numbers sizes;
    for (std::size_t i = 0; i < weights.size(); ++i)
      sizes.push_back(static_cast<double>(i % 2 == 0 ? weights[i] : -weights[i]));
    return reach_of(terms_of(sizes, laws), *Alpha::of(alpha));
  }
};

template <class Law>
Combination random_combination(Law (*at)(double), std::mt19937& random, double scale) {
  Combination one;
  const std::size_t draws = 2 + random() % 7;
  for (std::size_t i = 0; i < draws; ++i) {
    one.weights.push_back(1 + static_cast<std::int64_t>(random() % 6));
    one.laws.push_back(at(scale * (i % 3 == 0 ? 1 : 0.7)));
  }
  return one;
}

// The least x of which P[abs(sum) > x] <= alpha.
double exact_reach(const Masses& masses, double alpha) {
  std::int64_t x = 0;
  while (masses.outside(static_cast<double>(x)) > alpha) ++x;
  return static_cast<double>(x);
}

template <class Law>
void expect_safe(Law (*at)(double), double scale, int combinations, double longest) {
  std::mt19937 random(77);
  for (int i = 0; i < combinations; ++i) {
    const Combination one = random_combination(at, random, scale);
    const Masses masses = one.masses();
    for (const double alpha : {0.3, 0.05, 1e-3, 1e-8}) {
      const double proven = one.reach(alpha).proven;
      EXPECT_LE(masses.outside(proven), alpha * (1 + 1e-9)) << scale << " " << i << " " << alpha;
      EXPECT_LE(proven, longest * (exact_reach(masses, alpha) + 1)) << scale << " " << i << " " << alpha;
    }
  }
}

TEST(SlowWeightedNoise, ProvenReachesHoldForTheExactLawOfTheSum) {
  for (const double scale : {0.3, 1.0, 6.0}) {
    expect_safe(law_at<Geometric>, scale, 6, 1.03);
    expect_safe(law_at<DiscreteGaussian>, scale, 6, 1.03);
  }
}

TEST(WeightedNoise, ProvenReachesHoldForLawsOfBothKinds) {
  std::mt19937 random(5);
  for (int i = 0; i < 8; ++i) {
    Combination one = random_combination(law_at<Geometric>, random, 2);
    for (std::size_t k = 1; k < one.laws.size(); k += 2) one.laws[k] = law_at<DiscreteGaussian>(3);
    const Masses masses = one.masses();
    for (const double alpha : {0.2, 0.05, 1e-4}) {
      const double proven = one.reach(alpha).proven;
      EXPECT_LE(masses.outside(proven), alpha * (1 + 1e-9));
      EXPECT_LE(proven, 1.6 * (exact_reach(masses, alpha) + 1));
      EXPECT_EQ(one.reach(alpha).tested, proven);
    }
  }
}

// The tested one for discrete Gaussian noise: at 0.05, scales from 0.5 to 5, and weights that are no multiples of each
// other. Without the half step it fails.
TEST(WeightedNoise, TestedReachesAreNotRefuted) {
  std::mt19937 random(3);
  double worst = 0, worst_without = 0;
  for (int i = 0; i < 60; ++i) {
    const double scale = 0.5 * std::pow(10, (i % 10) / 9.0);
    Combination one;
    for (std::size_t k = 0; k < 2 + random() % 4; ++k) {
      one.weights.push_back(1 + static_cast<std::int64_t>(random() % 19));
      one.laws.push_back(law_at<DiscreteGaussian>(scale));
    }
    const Masses masses = one.masses();
    const double tested = one.reach(0.05).tested;
    const auto largest = static_cast<double>(*std::ranges::max_element(one.weights));
    worst = std::max(worst, masses.outside(tested));
    worst_without = std::max(worst_without, masses.outside(tested - largest / 2));
  }
  EXPECT_LE(worst, 0.05);
  EXPECT_GT(worst_without, 0.1);
}

TEST(WeightedNoise, OfOneDrawIsItsOwnQuantile) {
  const std::vector<IntegerLaw> laws{law_at<Geometric>(7), law_at<DiscreteGaussian>(7)};
  const auto quantile = [](const auto& law) {
    return static_cast<double>(*law.two_sided_quantile(*Probability::of(0.05)));
  };
  EXPECT_NEAR(reach_of(terms_of(Numbers{0.5, 0}, laws), *Alpha::of(0.05)).proven, quantile(law_at<Geometric>(7)) / 2,
              1e-6);
  EXPECT_NEAR(reach_of(terms_of(Numbers{0, -2}, laws), *Alpha::of(0.05)).proven,
              2 * quantile(law_at<DiscreteGaussian>(7)), 1e-6);
  EXPECT_EQ(reach_of(terms_of(Numbers{0, 0}, laws), *Alpha::of(0.05)).proven, 0);
}

TEST(WeightedNoise, PutsEqualSizesTogether) {
  const std::vector<IntegerLaw> laws(4, law_at<Geometric>(7));
  const auto terms = terms_of(Numbers{0.1, -0.1, 0.1 * (1 + 1e-15), 0.2}, laws);
  ASSERT_EQ(terms.size(), 2u);
  EXPECT_EQ(terms[0].draws + terms[1].draws, 4);
  for (const Term& term : terms) EXPECT_GE(term.size, term.draws == 1 ? 0.2 : 0.1 * (1 + 1e-15));
}

// A hundred cells: the price of the proof, against the normal law of the same variance.
TEST(WeightedNoise, CostsLittleForManyDrawsOfLargeScale) {
  const Numbers weights(100, 0.1);
  const auto gaussian =
      reach_of(terms_of(weights, std::vector<IntegerLaw>(100, law_at<DiscreteGaussian>(100))), *Alpha::of(0.05));
  EXPECT_NEAR(gaussian.proven, 196, 5);
  EXPECT_NEAR(gaussian.tested, 196.05, 0.01);
  const auto geometric =
      reach_of(terms_of(weights, std::vector<IntegerLaw>(100, law_at<Geometric>(100))), *Alpha::of(0.05));
  EXPECT_NEAR(geometric.proven, 196 * std::sqrt(2), 6);
}

TEST(WeightedNoise, TakesExtremeScalesAndLevels) {
  for (const double scale : {1e-3, 1e12}) {
    for (const double alpha : {0.9, 1e-300}) {
      for (const IntegerLaw& law :
           {IntegerLaw(law_at<Geometric>(scale)), IntegerLaw(law_at<DiscreteGaussian>(scale))}) {
        const Reach reach = reach_of(terms_of(Numbers(50, 0.02), std::vector<IntegerLaw>(50, law)), *Alpha::of(alpha));
        EXPECT_TRUE(std::isfinite(reach.proven)) << scale << " " << alpha;
        EXPECT_GE(reach.proven, 0);
        EXPECT_LE(reach.tested, reach.proven);
      }
    }
  }
}

// ---- Laplace and normal draws

TEST(SmoothNoise, AgreesWithClosedForms) {
  const Alpha alpha = *Alpha::of(0.05);
  // Two Laplace draws of scale 1: P[abs(sum) > x] = (1 + x / 2) exp(-x).
  const double two = SmoothNoise::of({{1, 2}}, 0, alpha).reach(alpha);
  EXPECT_NEAR((1 + two / 2) * std::exp(-two), 0.05, 2e-5);
  EXPECT_LE((1 + two / 2) * std::exp(-two), 0.05);
  const double normal = SmoothNoise::of({}, 3, alpha).reach(alpha);
  EXPECT_NEAR(normal, 3 * 1.959964, 1e-5);
  // Partial fractions: scales 3, 2, 1 have weights 81/40, -16/15, 1/24.
  const double three = SmoothNoise::of({{3, 1}, {2, 1}, {1, 1}}, 0, alpha).reach(alpha);
  const double outside = 81 / 40.0 * std::exp(-three / 3) - 16 / 15.0 * std::exp(-three / 2) + std::exp(-three) / 24;
  EXPECT_NEAR(outside, 0.05, 2e-5);
  EXPECT_LE(outside, 0.05);
}

TEST(SmoothNoise, OfManyDrawsIsNearlyNormal) {
  const Alpha alpha = *Alpha::of(0.01);
  EXPECT_NEAR(SmoothNoise::of({{1, 1e5}}, 0, alpha).reach(alpha), std::sqrt(2e5) * 2.575829, 0.1);
  EXPECT_NEAR(SmoothNoise::of({{1e-3, 3}}, 1, alpha).reach(alpha), 2.575829, 1e-3);
}

// A tail is that of the reach, and Chernoff's bound beyond the table.
TEST(SmoothNoise, TailsAndReachesAgree) {
  const Alpha alpha = *Alpha::of(1e-3);
  for (const SmoothNoise& noise :
       {SmoothNoise::of({{1, 2}}, 0, alpha), SmoothNoise::of({{2, 9}, {0.5, 40}}, 0, alpha)}) {
    EXPECT_NEAR(noise.tail(noise.reach(alpha)), 1e-3, 1e-6);
    EXPECT_GT(noise.tail(noise.reach(alpha) * 0.99), 1e-3);
    const double far = 10 * noise.reach(alpha);
    EXPECT_LT(noise.tail(far), 1e-6);
    EXPECT_GT(noise.tail(far), 0);
    EXPECT_EQ(noise.tail(0), 1);
  }
}

TEST(SmoothNoise, MomentsReachFurther) {
  for (const double tail : {0.5, 0.05, 1e-6, 1e-12}) {
    const Alpha alpha = *Alpha::of(tail);
    const SmoothNoise noise = SmoothNoise::of({{2, 3}, {0.1, 40}}, 1, alpha);
    EXPECT_GE(noise.reach_by_moments(alpha), noise.reach(alpha));
    EXPECT_LE(noise.reach_by_moments(alpha), 4 * noise.reach(alpha));
  }
}

}  // namespace
}  // namespace vernier::denoise
