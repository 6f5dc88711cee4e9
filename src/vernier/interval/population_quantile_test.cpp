#include "vernier/interval/population_quantile.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "support/integer_laws.hpp"

namespace vernier::interval {
namespace {

using noise::RankGrid;
using noise::RankStatistic;

noise::Exponential law_of(double scale) { return *noise::Exponential::of(*LaplaceScale::of(scale)); }

// At epsilon: one row moves D by max(a, b - a).
double scale_for(const RankStatistic& statistic, double epsilon) {
  const std::int64_t a = statistic.numerator(), b = statistic.denominator();
  return static_cast<double>(std::max(a, b - a)) / epsilon;
}

RankStatistic quantile(std::int64_t parts, std::int64_t whole, std::int64_t points = 2000) {
  return *RankStatistic::quantile(parts, whole, points);
}

std::int64_t reach(const RankStatistic& statistic, double epsilon, std::int64_t rows, double alpha = 0.05) {
  return *population_reach(law_of(scale_for(statistic, epsilon)), statistic, *Alpha::of(alpha), rows);
}

double in_ranks(std::int64_t reach, const RankStatistic& statistic) {
  return static_cast<double>(reach) / static_cast<double>(statistic.denominator());
}

// At most the chance to miss with exactly n rows and a part of the points beyond the quantile: the sum of the page,
// term by term, without averaging over a rank and without taking rows together.
double chance_to_miss(const RankStatistic& statistic, double scale, std::int64_t n, double part, std::int64_t reach) {
  const double p = static_cast<double>(statistic.numerator()) / static_cast<double>(statistic.denominator());
  const auto points = static_cast<double>(statistic.points());
  double sum = 0;
  for (std::int64_t k = 0; k <= n; ++k) {
    const double mass = std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) +
                                 static_cast<double>(k) * std::log(p) + static_cast<double>(n - k) * std::log1p(-p));
    const auto d = static_cast<double>(statistic.at(k, n)), j = static_cast<double>(reach);
    const double lower = d <= -j ? 1e300 : part * points * (points - 1) * std::exp((-d - j) / (2 * scale));
    const double upper = d >= j ? 1e300 : (1 - part) * points * (points - 1) * std::exp((d - j) / (2 * scale));
    sum += mass * (lower + upper) / (1 + lower + upper);
  }
  return sum;
}

// What makes one look at the greatest number of rows enough.
TEST(PopulationQuantile, HoldsForEveryNumberOfRowsAndEveryPlaceOfTheQuantile) {
  for (const auto& [parts, whole] : {std::pair{1, 2}, {9, 10}, {1, 20}}) {
    const RankStatistic statistic = quantile(parts, whole, 50);
    for (const double epsilon : {0.1, 1.0, 20.0}) {
      for (const double alpha : {0.001, 0.05, 0.4}) {
        const std::int64_t j = reach(statistic, epsilon, 120, alpha);
        for (std::int64_t n = 0; n <= 120; ++n) {
          for (const double part : {0.0, 0.02, 0.3, 0.5, 0.9, 1.0}) {
            EXPECT_LE(chance_to_miss(statistic, scale_for(statistic, epsilon), n, part, j), alpha)
                << parts << "/" << whole << " epsilon " << epsilon << " n " << n << " part " << part;
          }
        }
      }
    }
  }
}

TEST(PopulationQuantile, IsNotMuchWiderThanItMustBe) {
  for (const auto& [parts, whole] : {std::pair{1, 2}, {9, 10}}) {
    const RankStatistic statistic = quantile(parts, whole, 50);
    for (const double epsilon : {1.0, 20.0}) {
      const std::int64_t j = reach(statistic, epsilon, 1000), shorter = j - 2 * statistic.denominator();
      EXPECT_GT(chance_to_miss(statistic, scale_for(statistic, epsilon), 1000, 0.5, shorter), 0.05) << parts;
    }
  }
}

TEST(PopulationQuantile, KnowsItsReachBeforeAnyData) {
  const RankStatistic median = quantile(1, 2);
  EXPECT_EQ(in_ranks(reach(median, 1, 1000), median), 46.5);  // 18.5 for the rows, 31.0 for the sample
  EXPECT_EQ(in_ranks(reach(median, 1, 1'000'000'000), median), 31076.5);
  EXPECT_EQ(in_ranks(reach(median, 0.1, 100), median), 186.5);
}

TEST(PopulationQuantile, ReachesFurtherWithMoreRowsAndSmallerAlpha) {
  const RankStatistic statistic = quantile(3, 4);
  std::int64_t before = 0;
  for (const std::int64_t rows : {0, 1, 10, 100, 1000, 100'000, 10'000'000}) {
    const std::int64_t found = reach(statistic, 1, rows);
    EXPECT_GE(found, before) << rows;
    EXPECT_GT(reach(statistic, 1, rows, 0.01), found);
    EXPECT_GE(found, *noise::reach_of(law_of(3), statistic, *Alpha::of(0.05)));
    before = found;
  }
}

TEST(PopulationQuantile, RefusesExtremesAndRowsWithoutLimit) {
  const Alpha alpha = *Alpha::of(0.05);
  EXPECT_FALSE(population_reach(law_of(1), *RankStatistic::least(100), alpha, 100));
  EXPECT_FALSE(population_reach(law_of(1), *RankStatistic::greatest(100), alpha, 100));
  EXPECT_FALSE(population_reach(law_of(1), quantile(1, 2), alpha, -1));
  EXPECT_FALSE(population_reach(law_of(1), quantile(1, 2), alpha, std::int64_t{1} << 40));
  EXPECT_TRUE(population_reach(law_of(1), quantile(1, 2), alpha, std::int64_t{1} << 34));
  EXPECT_FALSE(PopulationQuantileInference::of(quantile(1, 2, 100), *RankGrid::of(100), law_of(1), alpha, 100));
}

TEST(PopulationQuantile, MakesItsIntervalOfTheEndsAsThatOfTheRowsIsMade) {
  const RankGrid grid = *RankGrid::of(100);
  const auto inference =
      *PopulationQuantileInference::of(quantile(1, 2, grid.points()), grid, law_of(1), *Alpha::of(0.05), 50);
  const PopulationQuantileInterval found = *inference.from({20, 30});
  EXPECT_EQ(found.low, 20);
  EXPECT_EQ(found.high, 30);
  EXPECT_EQ(found.value, 25);
  EXPECT_EQ(found.covers, Covers::population);
  EXPECT_EQ(found.status, Status::proven);
  EXPECT_FALSE(inference.from({0, 100})->informative);
  EXPECT_FALSE(inference.from({0, 101}));
}

TEST(PopulationQuantile, TakesTheGreatestNumberOfRowsFromAReleasedCount) {
  const auto law = testing::law_at<noise::Geometric>(10);
  const std::int64_t at_most = *rows_at_most(law, 500, *Alpha::of(0.01));
  EXPECT_LE(law.tail(at_most - 500).upper, 0.01);
  EXPECT_GT(law.tail(at_most - 501).lower, 0.01);
  EXPECT_EQ(*rows_at_most(law, -1'000'000, *Alpha::of(0.01)), 0);
  EXPECT_GT(*rows_at_most(law, std::numeric_limits<std::int64_t>::max(), *Alpha::of(0.01)), 1 << 30);
}

}  // namespace
}  // namespace vernier::interval
