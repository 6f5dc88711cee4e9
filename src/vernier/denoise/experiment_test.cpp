#include "vernier/denoise/experiment.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "support/integer_laws.hpp"
#include "support/seeded_bits.hpp"

namespace vernier::denoise {
namespace {

using noise::DiscreteGaussian;
using testing::law_at;

std::vector<Outcome> outcomes(Shape shape, std::size_t dimension, double length_in_sigmas, int vectors) {
  const double sigma = 1000;
  auto source = testing::seeded_source(31);
  return experiment({shape, dimension, length_in_sigmas * sigma}, law_at<DiscreteGaussian>(sigma), vectors, source)
      .value();
}

double mean_of(const std::vector<Outcome>& all, Entrant entrant) {
  return all[static_cast<std::size_t>(entrant)].error.mean();
}

TEST(DenoisingExperiment, DrawsVectorsOfTheLengthAndShape) {
  auto source = testing::seeded_source(1);
  Invention<testing::SeededBits> invention(source);
  for (const Shape shape : {Shape::dense, Shape::sparse}) {
    const auto vector = vector_of({shape, 200, 1e6}, invention);
    const double squares =
        std::accumulate(vector.begin(), vector.end(), 0.0, [](double sum, auto x) { return sum + std::pow(x, 2); });
    EXPECT_NEAR(std::sqrt(squares), 1e6, 100);
    EXPECT_EQ(std::ranges::count(vector, 0) >= 190, shape == Shape::sparse);
  }
}

// Raw errors grow with the dimension; those of James and Stein stop at the length of the vector.
TEST(DenoisingExperiment, FindsTheGainInManyDimensions) {
  for (const std::size_t d : {10, 100, 1000}) {
    const auto all = outcomes(Shape::dense, d, 10, 100);
    EXPECT_NEAR(mean_of(all, Entrant::raw), 1, 6 * all[0].error.standard_error());
    EXPECT_LE(mean_of(all, Entrant::james_stein) * static_cast<double>(d), 100 * 1.3);
    EXPECT_NEAR(mean_of(all, Entrant::james_stein), 100 / (100 + static_cast<double>(d)), 0.06);
    for (const Outcome& outcome : all) EXPECT_FALSE(outcome.is_refuted);
  }
}

TEST(DenoisingExperiment, FindsThatThresholdsServeSparseVectors) {
  const auto sparse = outcomes(Shape::sparse, 1000, 60, 60), dense = outcomes(Shape::dense, 1000, 60, 60);
  EXPECT_LT(mean_of(sparse, Entrant::soft_threshold), 0.35 * mean_of(sparse, Entrant::james_stein));
  EXPECT_LT(mean_of(sparse, Entrant::universal_threshold), 0.8);
  EXPECT_GT(mean_of(dense, Entrant::universal_threshold), 2);  // never a default
  EXPECT_LT(mean_of(dense, Entrant::least_risk), 0.85);
  EXPECT_LT(mean_of(sparse, Entrant::least_risk), 0.25);
  for (const Outcome& outcome : sparse) EXPECT_FALSE(outcome.is_refuted);
  for (const Outcome& outcome : dense) EXPECT_FALSE(outcome.is_refuted);
}

// Shrinkage for three times the variance is worse than theory says of the right one.
TEST(DenoisingExperiment, RefutesEstimatesThatAreWorseThanTheorySays) {
  const double sigma = 1000;
  const auto law = law_at<DiscreteGaussian>(sigma);
  const auto mistaken = law_at<DiscreteGaussian>(sigma * std::sqrt(3));
  const Setting setting{Shape::dense, 50, 10 * sigma};
  auto source = testing::seeded_source(32);
  std::vector<Contender> contenders = entered(law);
  contenders[1] = contender(Method::james_stein_to_zero, mistaken);
  const Truth<testing::SeededBits> truth = [&](auto& invention) { return vector_of(setting, invention); };
  ASSERT_TRUE(simulate(truth, law, 400, source, contenders));
  const auto all = judged(setting, sigma * sigma, 40, contenders);
  EXPECT_TRUE(all[1].is_refuted);
  EXPECT_FALSE(all[0].is_refuted);
}

TEST(DenoisingExperiment, NamesAreThoseOfReports) {
  EXPECT_EQ(name_of(Shape::dense), "dense");
  EXPECT_EQ(name_of(Shape::sparse), "sparse");
  EXPECT_EQ(name_of(Entrant::raw), "raw");
  EXPECT_EQ(name_of(Entrant::james_stein), "james-stein");
  EXPECT_EQ(name_of(Entrant::soft_threshold), "soft-threshold");
  EXPECT_EQ(name_of(Entrant::universal_threshold), "universal-threshold");
  EXPECT_EQ(name_of(Entrant::least_risk), "least-risk");
}

}  // namespace
}  // namespace vernier::denoise
