#include <cmath>
#include <cstdint>

#include <gtest/gtest.h>

#include "support/integer_laws.hpp"
#include "vernier/denoise/estimators.hpp"

namespace vernier::denoise {
namespace {

using noise::DiscreteGaussian;
using noise::Geometric;
using testing::law_at;

TEST(Threshold, MovesNumbersTowardsZero) {
  EXPECT_EQ(soft_thresholded(std::vector<double>{5, -5, 2, -2, 0}, 3), (std::vector<double>{2, -2, 0, 0, 0}));
  EXPECT_FALSE(std::signbit(soft_thresholded(std::vector<double>{-2}, 3).front()));
  EXPECT_EQ(soft_thresholded(std::vector<double>{5, -5}, 0), (std::vector<double>{5, -5}));
}

TEST(Threshold, UniversalIsThatOfDonohoAndJohnstone) { EXPECT_NEAR(universal_threshold(1000, 100), 10 * 3.7169, 1e-3); }

// The expectations of the estimate and of the loss of one number, both over the variance, by summing over all noise.
struct Expected {
  double estimate = 0, loss = 0;
};

template <class Law, class Estimate>
Expected expected(const Law& law, std::int64_t truth, double threshold, const Estimate& estimate) {
  const std::int64_t reach = *law.two_sided_quantile(*Probability::of(1e-18));
  const double variance = law.variance().upper;
  Expected sums;
  for (std::int64_t x = -reach; x <= reach; ++x) {
    const std::vector<double> number{static_cast<double>(truth + x)};
    const double off = soft_thresholded(number, threshold).front() - static_cast<double>(truth);
    sums.estimate += law.mass(x).upper * estimate(number, threshold);
    sums.loss += law.mass(x).upper * off * off / variance;
  }
  return sums;
}

template <class Law>
Expected expected(double scale, std::int64_t truth, double threshold) {
  const Law law = law_at<Law>(scale);
  return expected(law, truth, threshold,
                  [&](const std::vector<double>& number, double t) { return ThresholdRisk<Law>(number, law).at(t); });
}

TEST(Threshold, EstimatesItsRiskWithoutBiasForGeometricNoise) {
  for (const double scale : {0.4, 1.0, 7.07, 30.0}) {
    for (const std::int64_t truth : {0, 1, -7, 40}) {
      for (const double t : {0.0, 1.0, 2.3, 20.0, 61.75}) {
        const Expected sums = expected<Geometric>(scale, truth, t);
        EXPECT_NEAR(sums.estimate, sums.loss, 1e-10 * (1 + sums.loss)) << scale << " " << truth << " " << t;
      }
    }
  }
}

TEST(Threshold, EstimatesItsRiskNearlyWithoutBiasForDiscreteGaussianNoise) {
  for (const auto& [scale, allowed] : {std::pair{1.0, 6e-2}, {2.0, 3e-3}, {10.0, 5e-6}}) {
    for (const std::int64_t truth : {0, 1, -7, 40}) {
      for (const double t : {0.0, 1.0, 3.0, 20.0, 61.0}) {
        const Expected sums = expected<DiscreteGaussian>(scale, truth, t);
        EXPECT_NEAR(sums.estimate, sums.loss, allowed * (1 + sums.loss)) << scale << " " << truth << " " << t;
      }
    }
  }
}

// What is unbiased for Gaussian noise is not for geometric.
TEST(Threshold, NeedsTheFormulaOfItsOwnLaw) {
  const auto law = law_at<Geometric>(7.07);
  const auto other = law_at<DiscreteGaussian>(std::sqrt(law.variance().upper));
  const Expected sums = expected(law, 0, 20, [&](const std::vector<double>& number, double t) {
    return ThresholdRisk<DiscreteGaussian>(number, other).at(t);
  });
  EXPECT_GT(std::abs(sums.estimate - sums.loss), 0.05);
}

template <class Law>
void expect_least(const Law& law) {
  std::vector<double> numbers;
  for (int i = 0; i < 60; ++i) numbers.push_back(std::round(40 * std::sin(1.7 * i) * (i % 7 == 0 ? 3 : 0.4)));
  const ThresholdRisk<Law> risk(numbers, law);
  const Threshold least = risk.least();
  EXPECT_NEAR(least.risk, risk.at(least.at), 1e-9);
  for (const double y : numbers) {
    EXPECT_LE(least.risk, risk.at(std::abs(y)) + 1e-9);
    EXPECT_LE(least.risk, risk.at(std::abs(y) + 1) + 1e-9);
  }
  EXPECT_LE(least.risk, 1 + 1e-9);  // that of the raw numbers
}

TEST(Threshold, IsTheOneOfLeastEstimatedRisk) {
  for (const double scale : {0.8, 3.0, 12.0}) {
    expect_least(law_at<Geometric>(scale));
    expect_least(law_at<DiscreteGaussian>(scale));
  }
}

// Term by term, as the page has it.
TEST(Threshold, SumsTheRiskOfManyNumbersAsOfEach) {
  const auto law = law_at<Geometric>(5);
  const std::vector<double> numbers{0, 3, -3, 12, 900, -41, 41, 40, 1e6};
  for (const double t : {0.0, 3.0, 40.0, 41.5, 1e6, 2e6}) {
    double sum = 0;
    for (const double y : numbers) sum += ThresholdRisk<Geometric>(std::vector<double>{y}, law).at(t);
    const double all = ThresholdRisk<Geometric>(numbers, law).at(t);
    EXPECT_NEAR(all, sum / static_cast<double>(numbers.size()), 1e-9 * (1 + std::abs(all))) << t;
  }
}

}  // namespace
}  // namespace vernier::denoise
