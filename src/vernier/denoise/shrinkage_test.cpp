#include <cmath>
#include <cstdint>

#include <gtest/gtest.h>

#include "statistics.hpp"
#include "support/integer_laws.hpp"
#include "support/seeded_bits.hpp"
#include "vernier/denoise/estimators.hpp"
#include "vernier/denoise/experiment.hpp"

namespace vernier::denoise {
namespace {

using noise::DiscreteGaussian;
using testing::law_at;

TEST(Shrinkage, MultipliesByTheFactorOfJamesAndStein) {
  // The squares add up to 50, in units of the variance 12.5; 1 - 3 / 12.5 is left of each number.
  const std::vector<double> numbers{3, 4, 0, -4, 3};
  const Shrunk shrunk = shrunk_to_zero(numbers, 4);
  for (std::size_t i = 0; i < numbers.size(); ++i) EXPECT_NEAR(shrunk.values[i], 0.76 * numbers[i], 1e-12);
  EXPECT_NEAR(shrunk.risk, (5 - 9 / 12.5) / 5, 1e-12);
}

TEST(Shrinkage, NeverTurnsNumbersAround) {
  const Shrunk shrunk = shrunk_to_zero(std::vector<double>{1, -1, 1, 0, 0}, 4);
  EXPECT_EQ(shrunk.values, std::vector<double>(5, 0));
  EXPECT_NEAR(shrunk.risk, (0.75 - 5) / 5, 1e-12);
}

TEST(Shrinkage, TowardsTheMeanIsTheSameWhereverTheNumbersLie) {
  const std::vector<double> numbers{3, 4, 0, -4, 3, 12};  // their mean is 3
  std::vector<double> moved;
  for (const double y : numbers) moved.push_back(y + 1000);
  const Shrunk here = shrunk_to_mean(numbers, 4), there = shrunk_to_mean(moved, 4);
  for (std::size_t i = 0; i < numbers.size(); ++i) EXPECT_NEAR(here.values[i] + 1000, there.values[i], 1e-9);
  EXPECT_NEAR(here.values[5], 3 + (1 - 3 / 35.0) * 9, 1e-12);  // 0 + 1 + 9 + 49 + 0 + 81 is 140
  EXPECT_NEAR(here.risk, there.risk, 1e-9);
}

TEST(Shrinkage, OfEqualNumbersLeavesTheirMean) {
  const Shrunk shrunk = shrunk_to_mean(std::vector<double>(6, 7.0), 4);
  EXPECT_EQ(shrunk.values, std::vector<double>(6, 7.0));
  EXPECT_NEAR(shrunk.risk, (2 - 6) / 6.0, 1e-12);
}

// The mean over columns of estimate less loss, in its standard errors.
template <class Shrink>
double bias_in_errors(const Shrink& shrink, const std::vector<std::int64_t>& truth, double sigma, int columns) {
  const auto law = law_at<DiscreteGaussian>(sigma);
  const noise::IntegerSampler<DiscreteGaussian> sampler(law);
  auto source = testing::seeded_source(5);
  std::vector<std::int64_t> noise(truth.size());
  ErrorMean difference;
  for (int i = 0; i < columns; ++i) {
    EXPECT_TRUE(sampler.fill(source, noise));
    std::vector<double> numbers;
    for (std::size_t j = 0; j < truth.size(); ++j) numbers.push_back(static_cast<double>(truth[j] + noise[j]));
    const Shrunk shrunk = shrink(numbers, sigma * sigma);
    double loss = 0;
    for (std::size_t j = 0; j < truth.size(); ++j) {
      loss += std::pow(shrunk.values[j] - static_cast<double>(truth[j]), 2) / (sigma * sigma);
    }
    difference.add(shrunk.risk - loss / static_cast<double>(truth.size()));
  }
  return difference.mean() / difference.standard_error();
}

TEST(Shrinkage, EstimatesItsRiskWithoutBiasForGaussianNoise) {
  const std::vector<std::vector<std::int64_t>> truths{{0, 0, 0, 0, 0}, {10, -5, 20, 0, 3, 8}, {40, 45, 38, 61, 40, 40}};
  for (const auto& truth : truths) {
    EXPECT_LT(std::abs(bias_in_errors(shrunk_to_zero, truth, 10, 40000)), 6);
    EXPECT_LT(std::abs(bias_in_errors(shrunk_to_mean, truth, 10, 40000)), 6);
  }
  // An estimate that is off by a twentieth is seen.
  const auto flattered = [](const std::vector<double>& numbers, double variance) {
    Shrunk shrunk = shrunk_to_zero(numbers, variance);
    shrunk.risk -= 0.05;
    return shrunk;
  };
  EXPECT_GT(std::abs(bias_in_errors(flattered, truths[1], 10, 40000)), 6);
}

}  // namespace
}  // namespace vernier::denoise
