// The table of denoise.md: squared error per number over the variance of the noise, by simulation with the samplers
// that ship. Its figures were computed by another program, with continuous laws and one truth per row.
#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/integer_laws.hpp"
#include "support/seeded_bits.hpp"
#include "vernier/denoise/experiment.hpp"

namespace vernier::denoise {
namespace {

using testing::law_at;
using testing::SeededBits;
using Inventing = Invention<SeededBits>;

constexpr double sigma = 10;  // of both laws, nearly
constexpr double not_given = 0;

struct Row {
  std::string name;
  std::size_t numbers;
  std::function<double(Inventing&)> truth;  // in units of sigma
  int columns;
  bool is_normal;               // its figures carry the chance of one truth
  std::vector<double> figures;  // to zero, to the mean, universal, soft, least risk
};

std::function<double(Inventing&)> normal(double centre, double deviation) {
  return [=](Inventing& invention) { return centre + deviation * invention.normal(); };
}
std::function<double(Inventing&)> spikes(double share, double height) {
  return [=](Inventing& invention) { return invention.uniform() < share ? height : 0; };
}

template <class Law>
std::vector<Contender> contenders(const Law& law) {
  return {contender(Method::james_stein_to_zero, law), contender(Method::james_stein_to_mean, law),
          contender(Method::universal_threshold, law), contender(Method::soft_threshold, law),
          contender(Choice::least_risk, law)};
}

// Two digits of the table, five standard errors of ours and, for a normal truth, two standard errors of the mean square
// of the one that the table has: with r = A / (A + 1) the risk changes by r (1 - r) dA / A.
double allowed(const Row& row, double figure, double standard_error) {
  const double digits = figure < 1 ? 0.006 : 0.06;
  const double of_truth = 2 * std::sqrt(2 / static_cast<double>(row.numbers)) * std::max(figure * (1 - figure), 0.0);
  return digits + 5 * standard_error + (row.is_normal ? of_truth : 0);
}

template <class Law>
void expect_figures(const Row& row, const Law& law) {
  SCOPED_TRACE(row.name);
  auto source = testing::seeded_source(11);
  std::vector<Contender> all = contenders(law);
  const Truth<SeededBits> truth = [&](Inventing& invention) {
    std::vector<std::int64_t> numbers(row.numbers);
    for (std::int64_t& x : numbers) x = std::llround(sigma * row.truth(invention));
    return numbers;
  };
  ASSERT_TRUE(simulate<Law>(truth, law, row.columns, source, all));
  for (std::size_t i = 0; i < all.size(); ++i) {
    const double figure = row.figures[i], off = allowed(row, figure, all[i].error.standard_error());
    if (figure == not_given) continue;
    EXPECT_NEAR(all[i].error.mean(), figure, off) << "method " << i;
  }
}

TEST(SlowDenoiseAcceptance, HoldsForDiscreteGaussianNoise) {
  const auto law = law_at<noise::DiscreteGaussian>(sigma);
  const std::vector<Row> rows{
      {"10, N(0, 1/4)", 10, normal(0, 0.5), 4000, true, {0.30, 0.40, 0.23, 0.35, 0.36}},
      {"100, N(0, 1/4)", 100, normal(0, 0.5), 1000, true, {0.24, 0.24, 0.28, 0.30, 0.29}},
      {"1000, N(0, 4)", 1000, normal(0, 2), 100, true, {0.80, 0.80, 3.35, 0.86, 0.82}},
      {"100, 5 + N(0, 1/4)", 100, normal(5, 0.5), 1000, true, {0.97, 0.22, 10.0, 1.00, 0.22}},
      {"1000, 5 % at 5", 1000, spikes(0.05, 5), 100, false, {0.56, 0.55, 0.72, 0.21, 0.21}},
      {"10000, 1 % at 10", 10000, spikes(0.01, 10), 20, false, {0.50, 0.50, 0.19, 0.065, 0.065}},
      {"1000, N(0, 400)", 1000, normal(0, 20), 100, true, {1.00, 1.00, 13.1, 1.00, 1.00}}};
  for (const Row& row : rows) expect_figures(row, law);
}

TEST(SlowDenoiseAcceptance, HoldsForGeometricNoise) {
  const auto law = law_at<noise::Geometric>(sigma / std::sqrt(2));
  const std::vector<Row> rows{
      {"10, N(0, 1/4)", 10, normal(0, 0.5), 4000, true, {0.44, not_given, not_given, not_given, not_given}},
      {"100, N(0, 1/4)", 100, normal(0, 0.5), 1000, true, {0.24, not_given, not_given, 0.29, not_given}},
      {"1000, N(0, 4)", 1000, normal(0, 2), 100, true, {0.81, not_given, not_given, 0.88, not_given}},
      {"1000, 5 % at 5", 1000, spikes(0.05, 5), 100, false, {not_given, not_given, not_given, 0.28, not_given}},
      {"1000, nothing", 1000, spikes(0, 0), 200, false, {not_given, not_given, not_given, 0.007, not_given}},
      {"1000, 1 % at 10", 1000, spikes(0.01, 10), 200, false, {not_given, not_given, not_given, 0.103, not_given}}};
  for (const Row& row : rows) expect_figures(row, law);
}

// The same with the formula for Gaussian noise: 0.157 in place of 0.007, and 0.189 in place of 0.103.
TEST(SlowDenoiseAcceptance, NeedsTheGeometricLawsOwnRisk) {
  const auto law = law_at<noise::Geometric>(sigma / std::sqrt(2));
  const auto mistaken = law_at<noise::DiscreteGaussian>(sigma);
  for (const auto& [share, figure] : {std::pair{0.0, 0.157}, {0.01, 0.189}}) {
    auto source = testing::seeded_source(12);
    std::vector<Contender> all{contender(Method::soft_threshold, mistaken)};
    const Truth<SeededBits> truth = [&, share = share](Inventing& invention) {
      std::vector<std::int64_t> numbers(1000);
      for (std::int64_t& x : numbers) x = std::llround(sigma * spikes(share, 10)(invention));
      return numbers;
    };
    ASSERT_TRUE(simulate<noise::Geometric>(truth, law, 200, source, all));
    EXPECT_NEAR(all[0].error.mean(), figure, 0.006 + 5 * all[0].error.standard_error());
  }
}

}  // namespace
}  // namespace vernier::denoise
