#include "vernier/accounting/loss_sum.hpp"

#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "support/exact_gaussian.hpp"
#include "vernier/accounting/loss/gaussian_loss.hpp"
#include "vernier/accounting/loss/laplace_loss.hpp"
#include "vernier/accounting/loss/two_point_loss.hpp"
#include "vernier/accounting/optimal.hpp"
#include "vernier/mechanism/laplace.hpp"

namespace vernier::accounting {
namespace {

using test::is_not_private;
using test::is_private;

// Gaussian releases through the whole machine, which knows nothing of their closed form.
LossSum gaussians(double mu_square, double times) {
  return LossSum({{LossLaw(GaussianLoss({mu_square, 0})), times, {0, 0}}});
}

LossPart responses(double epsilon, double times, Bounds infinite = {0, 0}) {
  return {LossLaw(TwoPointLoss::of(*privacy::Epsilon::of(epsilon))), times, infinite};
}

LossPart laplaces(double scale, double times) {
  return {LossLaw(LaplaceLoss(noise::Laplace::of(*LaplaceScale::of(scale)), *privacy::L1Sensitivity::of(1))), times};
}

class Random {
 public:
  double between(double low, double high) {
    return low * std::pow(high / low, std::uniform_real_distribution<>(0, 1)(bits_));
  }

 private:
  std::mt19937_64 bits_{20261116};
};

double relative_gap(const Bounds& bounds) { return (bounds.upper - bounds.lower) / bounds.upper; }

TEST(LossSum, HoldsTheEpsilonOfGaussians) {
  Random random;
  for (int i = 0; i < 120; ++i) {
    // mu^2 is a power of four, so that sigma = 2^j is exact, and times a square, so that sensitivity sqrt(times) is.
    const double sigma = std::exp2(std::round(std::log2(random.between(0.5, 1e4))));
    const double root = std::round(random.between(1, 1e3));
    const double delta = random.between(1e-100, 0.3), tightness = random.between(1e-7, 1e-3);
    const Bounds found = *gaussians(1 / (sigma * sigma), root * root).epsilon(delta, tightness);
    EXPECT_TRUE(is_private(found.upper, delta, sigma, root)) << sigma << ' ' << root << ' ' << delta;
    EXPECT_TRUE(found.lower == 0 || is_not_private(found.lower, delta, sigma, root)) << sigma << ' ' << root;
    EXPECT_TRUE(found.upper == 0 || relative_gap(found) <= tightness) << sigma << ' ' << root << ' ' << delta;
  }
}

TEST(LossSum, HoldsTheDeltaOfGaussians) {
  Random random;
  for (int i = 0; i < 120; ++i) {
    const double sigma = std::exp2(std::round(std::log2(random.between(0.5, 1e4))));
    const double root = std::round(random.between(1, 1e3)), mu = root / sigma;
    const double epsilon = mu * mu / 2 + mu * random.between(0.01, 15);
    const Bounds found = gaussians(1 / (sigma * sigma), root * root).delta(epsilon, 1e-5);
    EXPECT_TRUE(is_private(epsilon, found.upper, sigma, root)) << sigma << ' ' << root << ' ' << epsilon;
    EXPECT_TRUE(is_not_private(epsilon, found.lower, sigma, root)) << sigma << ' ' << root << ' ' << epsilon;
    EXPECT_LE(relative_gap(found), 2e-3) << sigma << ' ' << root << ' ' << epsilon;
  }
}

TEST(LossSum, AgreesWithTheOptimalCompositionOfResponses) {
  Random random;
  for (int i = 0; i < 60; ++i) {
    const double epsilon = random.between(1e-3, 2), times = std::round(random.between(1, 3000));
    const double fails = i % 2 == 0 ? 0 : random.between(1e-12, 1e-9);
    const double delta = random.between(1e-6, 0.1);
    const Statement statement{{epsilon, epsilon}, fails, times};
    const Bounds exact = *OptimalComposition::of({&statement, 1})->epsilon(delta);
    const Bounds found = *LossSum({responses(epsilon, times, {fails, fails})}).epsilon(delta, 1e-4);
    EXPECT_GE(found.upper, exact.lower) << epsilon << ' ' << times << ' ' << delta;
    EXPECT_LE(found.lower, exact.upper) << epsilon << ' ' << times << ' ' << delta;
    EXPECT_LE(found.upper, exact.upper * (1 + 2e-4) + 1e-9) << epsilon << ' ' << times << ' ' << delta;
    EXPECT_GE(found.lower, exact.lower * (1 - 2e-4) - 1e-9) << epsilon << ' ' << times << ' ' << delta;
  }
}

TEST(LossSum, AddsInfiniteLossesToTheDeltaOfFiniteOnes) {
  const Statement statement{{0.1, 0.1}, 1e-4, 20};
  const OptimalComposition optimal = *OptimalComposition::of({&statement, 1});
  const LossSum sum({responses(0.1, 20, {1e-4, 1e-4})});
  for (const double epsilon : {0.05, 0.4, 1.0, 1.9}) {
    const Bounds exact = optimal.delta(epsilon), found = sum.delta(epsilon, 1e-5);
    EXPECT_GE(found.upper, exact.lower) << epsilon;
    EXPECT_LE(found.lower, exact.upper) << epsilon;
    EXPECT_LE(relative_gap(found), 1e-3) << epsilon;
  }
}

TEST(LossSum, HoldsTheCurveOfOneLaplaceRelease) {
  for (const double scale : {0.2, 1.0, 20.0, 1e4}) {
    const LossSum sum({laplaces(scale, 1)});
    const auto curve =
        mechanism::LaplaceMechanism::at_scale(*LaplaceScale::of(scale), *privacy::L1Sensitivity::of(1)).curve();
    for (const double share : {0.01, 0.3, 0.9, 0.99999}) {
      const Bounds exact = curve.delta(*privacy::Epsilon::of(share / scale));
      const Bounds found = sum.delta(share / scale, 1e-4);
      EXPECT_GE(found.upper, exact.lower) << scale << ' ' << share;
      EXPECT_LE(found.lower, exact.upper) << scale << ' ' << share;
      EXPECT_LE(relative_gap(found), 0.02) << scale << ' ' << share;
    }
  }
}

TEST(LossSum, SeesTheEndOfABoundedLaw) {
  const LossSum sum({responses(0.5, 2), laplaces(4, 2)});
  EXPECT_EQ(sum.delta(1.5000001, 1e-5), (Bounds{0, 0}));
  const Bounds deep = *sum.epsilon(1e-200, 1e-5);
  EXPECT_NEAR(deep.upper, 1.5, 1e-9);
  EXPECT_LE(deep.lower, 1.5);
  EXPECT_NEAR(deep.lower, 1.5, 1e-6);
}

TEST(LossSum, CountsInfiniteLosses) {
  const LossSum sum({responses(0.1, 10, {1e-8, 1e-8})});
  const double failure = -std::expm1(10 * std::log1p(-1e-8));
  EXPECT_NEAR(sum.delta(5, 1e-5).upper, failure, 1e-20);
  EXPECT_FALSE(sum.epsilon(9e-8, 1e-5));
  EXPECT_TRUE(sum.epsilon(1.1e-7, 1e-5));
  EXPECT_NE(sum.epsilon(9e-8, 1e-5).error().sentence().find("choose a larger delta"), std::string::npos);
}

TEST(LossSum, IsZeroWhereDeltaIsLargeEnough) { EXPECT_EQ(*gaussians(1e-6, 1).epsilon(0.3, 1e-5), (Bounds{0, 0})); }

TEST(LossSum, CostsTheSameForManyReleases) {
  const Bounds many = *gaussians(1e-12, 1e9).epsilon(1e-6, 1e-4);
  EXPECT_TRUE(is_private(many.upper, 1e-6, std::sqrt(1e3), 1));
  EXPECT_TRUE(is_not_private(many.lower, 1e-6, std::sqrt(1e3), 1));
  EXPECT_LE(relative_gap(many), 1e-4);
}

}  // namespace
}  // namespace vernier::accounting
