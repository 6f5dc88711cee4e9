#include "vernier/interval/population/quantile.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace vernier::interval {
namespace {

using noise::RankGrid;
using noise::RankReach;
using noise::RankStatistic;

noise::Exponential law_of(double scale) { return *noise::Exponential::of(*LaplaceScale::of(scale)); }

noise::Exponential law_for(const RankStatistic& statistic, double epsilon) {
  return law_of(static_cast<double>(statistic.row_moves()) / epsilon);
}

RankStatistic quantile(std::int64_t parts, std::int64_t whole, std::int64_t points = 2000) {
  return *RankStatistic::sample_quantile(parts, whole, points);
}

double in_ranks(std::int64_t reach, const RankStatistic& statistic) {
  return static_cast<double>(reach) / static_cast<double>(statistic.denominator());
}

double ranks_at(const RankStatistic& statistic, double epsilon, std::int64_t rows, double alpha = 0.05) {
  return in_ranks(population_reach(law_for(statistic, epsilon), statistic, *Alpha::of(alpha))->at(rows), statistic);
}

// The chances that so many rows are this far below their mean, and above it.
struct Tails {
  double below = 0, above = 0;
};
Tails binomial_tails(std::int64_t n, double p, double ranks) {
  Tails tails;
  for (std::int64_t k = 0; k <= n; ++k) {
    const double mass = std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) +
                                 static_cast<double>(k) * std::log(p) + static_cast<double>(n - k) * std::log1p(-p));
    const double off = static_cast<double>(k) - static_cast<double>(n) * p;
    if (off <= -ranks) tails.below += mass;
    if (off >= ranks) tails.above += mass;
  }
  return tails;
}

TEST(PopulationQuantile, LeavesTheSampleItsPartOfAlphaForEveryNumberOfRows) {
  for (const auto& [parts, whole] : {std::pair{1, 2}, {9, 10}, {1, 20}, {99, 100}}) {
    const RankStatistic statistic = quantile(parts, whole);
    for (const double alpha : {1e-6, 0.01, 0.05, 0.4}) {
      const RankReach reach = sample_reach(statistic, *Alpha::of(alpha));
      for (std::int64_t n = 0; n <= 300; ++n) {
        const Tails tails =
            binomial_tails(n, static_cast<double>(parts) / whole, in_ranks(reach.at(n), statistic) - 1e-9);
        EXPECT_LE(tails.below, alpha * 7 / 16) << parts << "/" << whole << " alpha " << alpha << " n " << n;
        EXPECT_LE(tails.above, alpha * 7 / 16) << parts << "/" << whole << " alpha " << alpha << " n " << n;
      }
    }
  }
}

TEST(PopulationQuantile, ReachesNotMuchFurtherThanTheSampleAsksFor) {
  const RankStatistic median = quantile(1, 2);
  const RankReach reach = sample_reach(median, *Alpha::of(0.05));
  EXPECT_GT(binomial_tails(1000, 0.5, in_ranks(reach.at(1000), median) - 2.5).above, 0.05 * 7 / 16);
}

// What sensitivities count on.
TEST(PopulationQuantile, NeverGrowsByMoreThanItSaysWithARow) {
  for (const auto& [parts, whole] : {std::pair{1, 2}, {9, 10}, {1, 3}, {999'999, 1'000'000}}) {
    const RankStatistic statistic = quantile(parts, whole);
    for (const double alpha : {1e-300, 1e-6, 0.05, 0.9}) {
      const RankReach reach = sample_reach(statistic, *Alpha::of(alpha));
      bool is_steep = false;
      for (std::int64_t n = 0; n < 100'000; ++n) {
        const std::int64_t step = reach.at(n + 1) - reach.at(n);
        ASSERT_GE(step, 0) << n;
        ASSERT_LE(step, statistic.growth()) << parts << "/" << whole << " alpha " << alpha << " n " << n;
        is_steep = is_steep || step == statistic.growth();
      }
      EXPECT_TRUE(is_steep);
    }
  }
}

TEST(PopulationQuantile, ReachesAsFarAsThePageSays) {
  EXPECT_NEAR(ranks_at(quantile(1, 2), 1, 1000), 54.5, 0.1);
  EXPECT_NEAR(ranks_at(quantile(1, 2), 1, 1'000'000'000), 31905.9, 0.1);
  EXPECT_NEAR(ranks_at(quantile(1, 2), 0.1, 100), 227.7, 0.1);
  EXPECT_NEAR(ranks_at(quantile(9, 10), 1, 1000), 60.1, 0.1);
}

TEST(PopulationQuantile, ReachesFurtherWithMoreRowsAndSmallerAlpha) {
  const RankStatistic statistic = quantile(3, 4);
  double before = 0;
  for (const std::int64_t rows : {0, 1, 10, 100, 1000, 100'000, 10'000'000}) {
    const double found = ranks_at(statistic, 1, rows);
    EXPECT_GT(found, before) << rows;
    EXPECT_GT(ranks_at(statistic, 1, rows, 0.01), found);
    before = found;
  }
}

TEST(PopulationQuantile, RefusesExtremesAndRanksOfRows) {
  const Alpha alpha = *Alpha::of(0.05);
  EXPECT_FALSE(population_reach(law_of(1), *RankStatistic::least(100), alpha));
  EXPECT_FALSE(population_reach(law_of(1), *RankStatistic::greatest(100), alpha));
  EXPECT_FALSE(population_reach(law_of(1), *RankStatistic::quantile(1, 2, 100), alpha));
  EXPECT_FALSE(PopulationQuantileInference::of(quantile(1, 2, 100), *RankGrid::of(100), law_of(1), alpha));
}

TEST(PopulationQuantile, MakesItsIntervalOfTheEndsAsThatOfTheRowsIsMade) {
  const RankGrid grid = *RankGrid::of(100);
  const auto inference =
      *PopulationQuantileInference::of(quantile(1, 2, grid.points()), grid, law_of(1), *Alpha::of(0.05));
  const PopulationQuantileInterval found = *inference.from({20, 30});
  EXPECT_EQ(found.low, 20);
  EXPECT_EQ(found.high, 30);
  EXPECT_EQ(found.value, 25);
  EXPECT_EQ(found.covers, Covers::population);
  EXPECT_EQ(found.status, Status::proven);
  EXPECT_FALSE(inference.from({0, 100})->informative);
  EXPECT_FALSE(inference.from({0, 101}));
}

}  // namespace
}  // namespace vernier::interval
