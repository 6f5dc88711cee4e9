// Quantiles of a population of weighted rows.
#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "support/missed_ends.hpp"
#include "support/parameters.hpp"
#include "vernier/interval/population/quantile.hpp"
#include "vernier/noise/rank_choice.hpp"

namespace vernier::interval {
namespace {

using noise::Occupied;
using noise::RankGrid;
using noise::RankStatistic;

constexpr double alpha = 0.05;

noise::Exponential law_of(double scale) { return *noise::Exponential::of(*LaplaceScale::of(scale)); }

double scale_for(const RankStatistic& statistic, std::int64_t heaviest, double epsilon) {
  return static_cast<double>(statistic.row_moves() * heaviest) / epsilon;
}

double log_binomial(std::int64_t n, std::int64_t k, double p) {
  const auto all = static_cast<double>(n), some = static_cast<double>(k);
  return std::lgamma(all + 1) - std::lgamma(some + 1) - std::lgamma(all - some + 1) + some * std::log(p) +
         (all - some) * std::log1p(-p);
}

// P[D is too low or too high] at the quantile, where all of n rows are as heavy as can be and the fraction is that of
// the rows.
double outside(const RankStatistic& statistic, std::int64_t n, std::int64_t heaviest, const noise::RankReach& reach) {
  const double p = static_cast<double>(statistic.numerator()) / static_cast<double>(statistic.denominator());
  double sum = 0;
  for (std::int64_t k = 0; k <= n; ++k) {
    const std::int64_t d = heaviest * statistic.at(k, n);
    const bool is_low = d + reach.of_lower(heaviest * (n - k))<0, is_high = d - reach.of_upper(heaviest * k)> 0;
    if (is_low || is_high) sum += std::exp(log_binomial(n, k, p));
  }
  return sum;
}

TEST(WeightedQuantile, LeavesTheSampleItsPartOfAlphaWhereAllRowsAreAsHeavyAsCanBe) {
  for (const auto& [parts, whole] : {std::pair{1, 2}, {9, 10}, {1, 4}, {2, 100}}) {
    const RankStatistic statistic = *RankStatistic::sample_quantile(parts, whole, 100);
    for (const double level : {0.4, 0.05, 1e-5}) {
      const noise::RankReach reach = sample_reach(statistic, *Alpha::of(level), 12);
      for (std::int64_t n = 0; n <= 3000; n = n * 4 / 3 + 1) {
        EXPECT_LE(outside(statistic, n, 12, reach), level * 6 / 8) << n;
      }
    }
  }
}

TEST(WeightedQuantile, ReachesNotMuchFurtherThanTheSampleAsksFor) {
  const RankStatistic median = *RankStatistic::sample_quantile(1, 2, 100);
  const double rank = 5 * static_cast<double>(median.denominator());
  for (const std::int64_t rows : {100'000, 10'000'000}) {
    const double reach = static_cast<double>(sample_reach(median, *Alpha::of(alpha), 5).at(5 * rows, median)) / rank;
    EXPECT_LT(reach, 1.5 * 1.96 * std::sqrt(static_cast<double>(rows)) / 2);
  }
}

// What sensitivities count on: a row moves the number of ranks by its weight. Up to the smallest alpha and the heaviest
// weights, around the turn, which is where a step is as large as it may be, and up to as many rows as ranks can count.
TEST(WeightedQuantile, NeverGrowsByMoreThanARowMovesRanks) {
  test::Parameters any(91);
  for (const auto& [parts, whole] :
       {std::pair<std::int64_t, std::int64_t>{1, 2}, {499'999, 1'000'000}, {1, 3}, {9, 10}, {1, 1'000'000}}) {
    const RankStatistic statistic = *RankStatistic::sample_quantile(parts, whole, 100);
    for (const auto& [level, heaviest] : {std::pair{1e-300, std::int64_t{1} << 22}, {0.05, std::int64_t{1000}}}) {
      const noise::RankReach reach = sample_reach(statistic, *Alpha::of(level), heaviest);
      const auto check = [&](std::int64_t rows, std::int64_t weight) {
        const std::int64_t lower = reach.of_lower(rows + weight) - reach.of_lower(rows),
                           upper = reach.of_upper(rows + weight) - reach.of_upper(rows);
        ASSERT_TRUE(0 <= lower && lower <= weight * statistic.numerator()) << parts << ' ' << rows;
        ASSERT_TRUE(0 <= upper && upper <= weight * (statistic.denominator() - statistic.numerator())) << rows;
      };
      const double p = static_cast<double>(parts) / static_cast<double>(whole);
      const auto turn = static_cast<std::int64_t>(std::log(8 / (3 * level)) * static_cast<double>(heaviest) / (2 * p));
      for (std::int64_t i = 0; i < 20'000; ++i) check(turn - 10'000 + i, 1 + i % heaviest);
      const auto most = static_cast<double>(statistic.rows_that_fit() - heaviest);
      for (int i = 0; i < 50'000; ++i) check(static_cast<std::int64_t>(any.log_uniform(1, most)), 1 + i % heaviest);
    }
  }
}

TEST(WeightedQuantile, AsksForAnAlphaOfWhichThereIsAnEighth) {
  const RankStatistic median = *RankStatistic::sample_quantile(1, 2, 100);
  const auto reach = [&](double level) { return population_reach(law_of(3), median, *Alpha::of(level), 5); };
  EXPECT_TRUE(reach(8.01e-300));
  ASSERT_FALSE(reach(7e-300));
  EXPECT_NE(reach(7e-300).error().sentence().find("8e-300"), std::string::npos);
}

TEST(WeightedQuantile, ScalesWithTheHeaviest) {
  const RankStatistic statistic = *RankStatistic::sample_quantile(9, 10, 100);
  const auto reach = [&](std::int64_t rows, std::int64_t heaviest) {
    const auto law = law_of(scale_for(statistic, heaviest, 1));
    return static_cast<double>(
        population_reach(law, statistic, *Alpha::of(alpha), heaviest)->at(rows * heaviest, statistic));
  };
  for (const std::int64_t rows : {0, 1, 10, 1000, 1'000'000}) {
    EXPECT_LT(reach(10 * rows, 7), reach(40 * rows + 1, 7));
    EXPECT_NEAR(reach(rows, 7000), 1000 * reach(rows, 7), 3e-3 * reach(rows, 7000));
    EXPECT_GT(
        reach(rows, 1),
        static_cast<double>(
            population_reach(law_of(scale_for(statistic, 1, 1)), statistic, *Alpha::of(alpha))->at(rows, statistic)));
  }
}

TEST(WeightedQuantile, RefusesWhatItIsNotMadeFor) {
  const auto of = [&](const RankStatistic& statistic, std::int64_t heaviest) {
    return population_reach(law_of(1), statistic, *Alpha::of(alpha), heaviest).has_value();
  };
  const RankStatistic median = *RankStatistic::sample_quantile(1, 2, 100);
  EXPECT_TRUE(of(median, 1000));
  EXPECT_FALSE(of(*RankStatistic::least(100), 1000));
  EXPECT_FALSE(of(*RankStatistic::quantile(1, 2, 100), 1000));
  EXPECT_FALSE(of(median, 0));
  EXPECT_FALSE(of(median, std::int64_t{1} << 30));
}

// ---- exactly: all samples, all pairs of ends

struct Kind {
  std::int64_t point, weight;
  double mass;  // part of the rows
};

// A quantile of the population: the least point that this part of all weights does not exceed.
std::int64_t quantile_of(const std::vector<Kind>& kinds, double p) {
  double all = 0, up_to = 0;
  for (const Kind& one : kinds) all += one.mass * static_cast<double>(one.weight);
  for (std::int64_t q = 0;; ++q) {
    for (const Kind& one : kinds) up_to += one.point == q ? one.mass * static_cast<double>(one.weight) : 0;
    if (up_to >= p * all - 1e-12) return q;
  }
}

std::vector<Occupied> rows_of(const std::vector<Kind>& kinds, const std::vector<std::int64_t>& counts) {
  std::vector<Occupied> rows;
  for (std::size_t i = 0; i < kinds.size(); ++i) {  // kinds are by their points
    if (counts[i] == 0) continue;
    if (rows.empty() || rows.back().point != kinds[i].point) rows.push_back({kinds[i].point, 0});
    rows.back().rows += counts[i] * kinds[i].weight;
  }
  return rows;
}

double exact_miss(const PopulationQuantileInference& inference, const std::vector<Kind>& kinds, std::int64_t n,
                  std::int64_t q) {
  std::vector<std::int64_t> counts(kinds.size());
  const auto from = [&](const auto& self, std::size_t k, std::int64_t left, double chance) -> double {
    if (k + 1 == counts.size()) {
      counts[k] = left;
      return chance * std::pow(kinds[k].mass, static_cast<double>(left)) *
             testing::missed_given(inference, rows_of(kinds, counts), q);
    }
    double sum = 0, ways = 1;
    for (std::int64_t here = 0; here <= left; ++here) {
      counts[k] = here;
      sum += self(self, k + 1, left - here, chance * ways * std::pow(kinds[k].mass, static_cast<double>(here)));
      ways = ways * static_cast<double>(left - here) / static_cast<double>(here + 1);
    }
    return sum;
  };
  return from(from, 0, n, 1);
}

TEST(WeightedQuantile, CoversByExactSums) {
  const std::vector<std::vector<Kind>> populations = {
      {{0, 1, 0.5}, {1, 2, 0.3}, {2, 6, 0.2}},                // the heavy ones lie high
      {{0, 6, 0.3}, {1, 6, 0.4}, {3, 6, 0.3}},                // all as heavy as can be
      {{0, 1, 0.9}, {3, 6, 0.1}},                             // few rows, and most of the weight
      {{0, 6, 0.05}, {2, 1, 0.45}, {2, 3, 0.3}, {3, 1, 0.2}}  // ties of different weights
  };
  double worst = 0;
  for (const auto& kinds : populations) {
    for (const auto& [parts, whole] : {std::pair{1, 2}, {4, 5}, {1, 10}}) {
      const RankStatistic statistic = *RankStatistic::sample_quantile(parts, whole, 4);
      const std::int64_t q = quantile_of(kinds, static_cast<double>(parts) / whole);
      for (const double epsilon : {0.3, 3.0, 100.0}) {
        const auto inference = *PopulationQuantileInference::of(
            statistic, *RankGrid::of(3), law_of(scale_for(statistic, 6, epsilon)), *Alpha::of(alpha), 6);
        for (const std::int64_t n : {0, 1, 6, 24}) worst = std::max(worst, exact_miss(inference, kinds, n, q));
      }
    }
  }
  EXPECT_LE(worst, alpha);
  EXPECT_GT(worst, 1e-4);  // it is put to the test
}

}  // namespace
}  // namespace vernier::interval
