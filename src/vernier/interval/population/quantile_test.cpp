#include "vernier/interval/population/quantile.hpp"

#include <cmath>
#include <utility>
#include <vector>

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
  return in_ranks(population_reach(law_for(statistic, epsilon), statistic, *Alpha::of(alpha))->at(rows, statistic),
                  statistic);
}

double binomial(std::int64_t n, std::int64_t k, double p) {
  const auto all = static_cast<double>(n), some = static_cast<double>(k);
  return std::exp(std::lgamma(all + 1) - std::lgamma(some + 1) - std::lgamma(all - some + 1) + some * std::log(p) +
                  (all - some) * std::log1p(-p));
}

// The chances that D at the quantile is too low for the lower end, and too high for the upper one.
struct Misses {
  double lower = 0, upper = 0;
};
Misses misses(const RankReach& reach, const RankStatistic& statistic, std::int64_t n) {
  const double p = static_cast<double>(statistic.numerator()) / static_cast<double>(statistic.denominator());
  Misses found;
  for (std::int64_t k = 0; k <= n; ++k) {
    if (statistic.at(k, n) + reach.of_lower(n - k) < 0) found.lower += binomial(n, k, p);
    if (statistic.at(k, n) - reach.of_upper(k) > 0) found.upper += binomial(n, k, p);
  }
  return found;
}

const std::vector<std::pair<std::int64_t, std::int64_t>> fractions{
    {1, 2}, {9, 10}, {1, 20}, {99, 100}, {1, 100}, {5001, 10'000}, {2, 3}, {999'999, 1'000'000}};

TEST(PopulationQuantile, LeavesTheSampleItsPartOfAlphaForEveryNumberOfRows) {
  for (const auto& [parts, whole] : fractions) {
    const RankStatistic statistic = quantile(parts, whole);
    for (const double alpha : {1e-12, 1e-6, 0.01, 0.05, 0.4, 0.9}) {
      const RankReach reach = sample_reach(statistic, *Alpha::of(alpha));
      for (std::int64_t n = 0; n <= 6000; n += 1 + n / 20) {
        const auto [lower, upper] = misses(reach, statistic, n);
        EXPECT_LE(lower, alpha * 7 / 16) << parts << "/" << whole << " alpha " << alpha << " n " << n;
        EXPECT_LE(upper, alpha * 7 / 16) << parts << "/" << whole << " alpha " << alpha << " n " << n;
      }
    }
  }
}

// The sign test: one rank nearer, and the sample has more than its part.
TEST(PopulationQuantile, ReachesNoFurtherThanTheSampleAsksFor) {
  const RankStatistic median = quantile(1, 2);
  const RankReach reach = sample_reach(median, *Alpha::of(0.05));
  for (const std::int64_t n : {10, 16, 20, 40, 100, 1000}) {
    double below = 0;
    std::int64_t ranks = 0;  // up to so many rows below the median are too few
    while (below + binomial(n, ranks, 0.5) <= 0.05 * 7 / 16) below += binomial(n, ranks++, 0.5);
    std::int64_t kept = 0;
    while (median.at(kept, n) + reach.of_lower(n - kept) < 0) ++kept;
    EXPECT_EQ(kept, ranks) << n;
  }
}

// What sensitivities count on.
TEST(PopulationQuantile, NeverGrowsByMoreThanARowMovesRanks) {
  for (const auto& [parts, whole] : fractions) {
    const RankStatistic statistic = quantile(parts, whole);
    for (const double alpha : {1e-300, 1e-6, 0.05, 0.9}) {
      const RankReach reach = sample_reach(statistic, *Alpha::of(alpha));
      for (std::int64_t n = 0; n < 100'000; ++n) {
        const std::int64_t lower = reach.of_lower(n + 1) - reach.of_lower(n),
                           upper = reach.of_upper(n + 1) - reach.of_upper(n);
        ASSERT_TRUE(0 <= lower && lower <= statistic.numerator()) << parts << "/" << whole << ' ' << alpha << ' ' << n;
        ASSERT_TRUE(0 <= upper && upper <= statistic.denominator() - statistic.numerator()) << n;
      }
    }
  }
}

TEST(PopulationQuantile, ReachesAsFarAsThePageSays) {
  EXPECT_NEAR(ranks_at(quantile(1, 2), 1, 1000), 51.75, 0.01);
  EXPECT_NEAR(ranks_at(quantile(1, 2), 1, 1'000'000'000), 31906.75, 0.01);
  EXPECT_NEAR(ranks_at(quantile(1, 2), 0.1, 100), 212.25, 0.01);
  EXPECT_NEAR(ranks_at(quantile(9, 10), 1, 1000), 55.45, 0.01);
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
