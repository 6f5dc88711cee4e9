#include "vernier/interval/weighted_reach.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "vernier/interval/population_quantile.hpp"
#include "vernier/noise/rank_choice.hpp"

namespace vernier::interval {
namespace {

using noise::Occupied;
using noise::RankGrid;
using noise::RankStatistic;

constexpr double alpha = 0.05;

noise::Exponential law_of(double scale) { return *noise::Exponential::of(*LaplaceScale::of(scale)); }

double scale_for(const RankStatistic& statistic, std::int64_t heaviest, double epsilon) {
  const std::int64_t a = statistic.numerator(), b = statistic.denominator();
  return static_cast<double>(std::max(a, b - a) * heaviest) / epsilon;
}

double log_binomial(std::int64_t n, std::int64_t k, double p) {
  const auto all = static_cast<double>(n), some = static_cast<double>(k);
  return std::lgamma(all + 1) - std::lgamma(some + 1) - std::lgamma(all - some + 1) + some * std::log(p) +
         (all - some) * std::log1p(-p);
}

// P[abs(D) >= reach] at the quantile, where all of n rows are as heavy as can be and the fraction is that of the rows.
double outside(const RankStatistic& statistic, std::int64_t n, std::int64_t heaviest, double reach) {
  const double p = static_cast<double>(statistic.numerator()) / static_cast<double>(statistic.denominator());
  double sum = 0;
  for (std::int64_t k = 0; k <= n; ++k) {
    const auto d = static_cast<double>(heaviest * statistic.at(k, n));
    if (std::abs(d) >= reach) sum += std::exp(log_binomial(n, k, p));
  }
  return sum;
}

TEST(WeightedReach, HoldsForRowsThatAreAllAsHeavyAsCanBe) {
  for (const auto& [parts, whole] : {std::pair{1, 2}, {9, 10}, {1, 4}, {2, 100}}) {
    const RankStatistic statistic = *RankStatistic::quantile(parts, whole, 100);
    for (const std::int64_t most : {1, 2, 7, 40, 300, 3000}) {
      for (const double rare : {0.2, 0.01, 1e-5}) {
        const double reach = *weighted_sampling_reach(statistic, most, 12, *Probability::of(rare));
        for (std::int64_t n = most; n > 0; n = n * 3 / 4) EXPECT_LE(outside(statistic, n, 12, reach), rare) << n;
      }
    }
  }
}

// 2.81 is the two-sided normal point of 0.01 in deviations of a half, per root of the rows; a bound that knows nothing
// but the size of the rows pays a sixth more.
TEST(WeightedReach, IsNotMuchLongerThanTheNormalOne) {
  const RankStatistic median = *RankStatistic::quantile(1, 2, 100);
  for (const std::int64_t most : {1000, 100'000, 10'000'000}) {
    const double reach = *weighted_sampling_reach(median, most, 5, *Probability::of(0.01)) / 10;
    const double normal = 2.576 * std::sqrt(static_cast<double>(most)) / 2;
    EXPECT_GT(reach, normal);
    EXPECT_LT(reach, 1.25 * normal);
  }
}

TEST(WeightedReach, GrowsWithRowsAndWithTheHeaviest) {
  const RankStatistic statistic = *RankStatistic::quantile(9, 10, 100);
  const auto reach = [&](std::int64_t rows, std::int64_t heaviest) {
    const auto law = law_of(scale_for(statistic, heaviest, 1));
    return static_cast<double>(*weighted_population_reach(law, statistic, *Alpha::of(alpha), rows, heaviest));
  };
  for (const std::int64_t rows : {1, 10, 1000, 1'000'000}) {
    EXPECT_LT(reach(10 * rows, 7), reach(40 * rows, 7));
    EXPECT_NEAR(reach(rows, 7000), 1000 * reach(rows, 7), 3000);
  }
  const auto law = law_of(scale_for(statistic, 7, 1));
  EXPECT_EQ(reach(0, 7), static_cast<double>(*noise::reach_of(law, statistic, *Alpha::of(alpha))));
  EXPECT_GT(reach(1000, 1), static_cast<double>(*population_reach(law_of(scale_for(statistic, 1, 1)), statistic,
                                                                  *Alpha::of(alpha), 1000)));
}

TEST(WeightedReach, RefusesWhatItIsNotMadeFor) {
  const auto law = law_of(1);
  const auto of = [&](const RankStatistic& statistic, std::int64_t rows, std::int64_t heaviest) {
    return weighted_population_reach(law, statistic, *Alpha::of(alpha), rows, heaviest).has_value();
  };
  const RankStatistic median = *RankStatistic::quantile(1, 2, 100);
  EXPECT_TRUE(of(median, 1000, 1000));
  EXPECT_FALSE(of(*RankStatistic::least(100), 1000, 1000));
  EXPECT_FALSE(of(median, -1, 1000));
  EXPECT_FALSE(of(median, 1000, 0));
  EXPECT_FALSE(of(median, std::int64_t{1} << 40, std::int64_t{1} << 21));
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

double missed_given(const PopulationQuantileInference& inference, const std::vector<Occupied>& rows, std::int64_t q) {
  const noise::RankChoice choice(inference.statistic(), rows, inference.reach());
  const std::vector<noise::Level> levels = choice.levels();
  double total = 0, missed = 0;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const double weight = std::exp(-static_cast<double>(levels[i].distance) / (2 * inference.law().scale()));
    total += weight * static_cast<double>(levels[i].candidates);
    for (std::int64_t place = 0; place < levels[i].candidates; ++place) {
      const auto found = *inference.from(choice.candidate(i, place));
      if (q < found.low || q > found.high) missed += weight;
    }
  }
  return missed / total;
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
             missed_given(inference, rows_of(kinds, counts), q);
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

TEST(WeightedReach, CoversByExactSums) {
  const std::vector<std::vector<Kind>> populations = {
      {{0, 1, 0.5}, {1, 2, 0.3}, {2, 6, 0.2}},                // the heavy ones lie high
      {{0, 6, 0.3}, {1, 6, 0.4}, {3, 6, 0.3}},                // all as heavy as can be
      {{0, 1, 0.9}, {3, 6, 0.1}},                             // few rows, and most of the weight
      {{0, 6, 0.05}, {2, 1, 0.45}, {2, 3, 0.3}, {3, 1, 0.2}}  // ties of different weights
  };
  double worst = 0;
  for (const auto& kinds : populations) {
    for (const auto& [parts, whole] : {std::pair{1, 2}, {4, 5}, {1, 10}}) {
      const RankStatistic statistic = *RankStatistic::quantile(parts, whole, 4);
      const std::int64_t q = quantile_of(kinds, static_cast<double>(parts) / whole);
      for (const double epsilon : {0.3, 3.0, 100.0}) {
        const auto inference = *PopulationQuantileInference::of(
            statistic, *RankGrid::of(3), law_of(scale_for(statistic, 6, epsilon)), *Alpha::of(alpha), 24, 6);
        for (const std::int64_t n : {0, 1, 6, 24}) worst = std::max(worst, exact_miss(inference, kinds, n, q));
      }
    }
  }
  EXPECT_LE(worst, alpha);
  EXPECT_GT(worst, 1e-4);  // it is put to the test
}

}  // namespace
}  // namespace vernier::interval
