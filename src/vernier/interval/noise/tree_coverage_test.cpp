// Whether the intervals of quantiles from a tree of noisy counts cover, and keep within the ranks that are stated, with
// the sampler that ships; and whether intervals that are known to be wrong are found out in the same way.
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "statistics.hpp"
#include "support/seeded_bits.hpp"
#include "vernier/interval/noise/tree_reach.hpp"
#include "vernier/noise/integer_sampler.hpp"
#include "vernier/noise/noisy_tree.hpp"

namespace vernier::interval {
namespace {

using noise::CountTree;
using noise::Occupied;
using noise::RankStatistic;
using Rows = std::vector<Occupied>;

constexpr double alpha = 0.05;

// ---- what is true

struct Truth {
  std::int64_t least, greatest;  // every quantile for the fraction lies between these, and these are quantiles
};

std::int64_t rows_up_to(const Rows& rows, std::int64_t point) {
  std::int64_t count = 0;
  for (const Occupied& each : rows) count += each.point <= point ? each.rows : 0;
  return count;
}

// Of no rows every point is one.
Truth truth_of(const RankStatistic& statistic, const Rows& rows) {
  const std::int64_t all = rows_up_to(rows, statistic.points());
  Truth truth{-1, statistic.points() - 1};
  for (std::int64_t t = 0; t < statistic.points(); ++t) {
    const std::int64_t d = statistic.at(rows_up_to(rows, t), all);
    if (truth.least < 0 && d >= 0) truth.least = t;
    if (d > 0) return {truth.least, t};
  }
  return truth;
}

// ---- shapes of data, on points 0..last

using Shape = std::function<std::int64_t(std::mt19937_64&, double last)>;

const std::vector<Shape> shapes = {
    [](std::mt19937_64& random, double last) {
      return std::llround(std::uniform_real_distribution<>(0, 1)(random) * last);
    },
    [](std::mt19937_64& random, double last) {
      return std::llround(std::min(std::lognormal_distribution<>(-2, 1)(random), 1.0) * last);
    },
    [](std::mt19937_64&, double) { return 0LL; },                                                            // ties
    [](std::mt19937_64& random, double last) { return std::llround(random() % 4 == 0 ? last : last / 3); },  // atoms
};

Rows rows_of(const Shape& shape, std::int64_t points, int n, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::map<std::int64_t, std::int64_t> counts;
  for (int i = 0; i < n; ++i) ++counts[shape(random, static_cast<double>(points - 1))];
  Rows rows;
  for (const auto& [point, count] : counts) rows.push_back({point, count});
  return rows;
}

// ---- ways to make an interval, the one that ships and wrong ones

struct Method {
  double reach = 1;  // of the right one
  double scale = 1;  // of the noise that is drawn, of the one that is declared
};

struct Misses {
  std::uint64_t covering = 0;  // the interval lacks a quantile
  std::uint64_t ranks = 0;     // something in it is further off than stated
};

template <class Law>
Misses misses(const Law& declared, const Law& drawn, const RankStatistic& statistic, const Rows& rows,
              const Method& method, std::uint64_t trials, std::uint64_t seed) {
  const CountTree tree = *CountTree::of(statistic.points());
  const auto reaches = *TreeReach::of(statistic, tree, *Alpha::of(alpha)).at(declared);
  const auto reach = static_cast<std::int64_t>(static_cast<double>(reaches.ends) * method.reach);
  const Truth truth = truth_of(statistic, rows);
  const std::int64_t all = rows_up_to(rows, statistic.points());
  const noise::IntegerSampler sampler(drawn);
  auto source = vernier::testing::seeded_source(seed);
  Misses found;
  for (std::uint64_t i = 0; i < trials; ++i) {
    noise::NoisyTree noisy(tree, rows, [&](std::span<std::int64_t> out) { return sampler.fill(source, out); });
    const auto [low, high] = *noise::tree_ends(noisy, statistic, reach);
    found.covering += truth.least < low || truth.greatest > high ? 1 : 0;
    const std::int64_t off = reaches.ends + reaches.noise;
    const bool is_low = low < statistic.points() - 1 && 2 * statistic.at(rows_up_to(rows, low), all) < -off;
    const bool is_high = high > 0 && 2 * statistic.at(rows_up_to(rows, high - 1), all) > off;
    found.ranks += is_low || is_high ? 1 : 0;
  }
  return found;
}

Misses misses(bool is_geometric, double epsilon, const RankStatistic& statistic, const Rows& rows, const Method& method,
              std::uint64_t trials, std::uint64_t seed) {
  const double scale = static_cast<double>(CountTree::of(statistic.points())->levels()) / epsilon;
  const auto geometric = [](double s) { return *noise::Geometric::of(*LaplaceScale::of(s)); };
  const auto gaussian = [](double s) { return *noise::DiscreteGaussian::of(*Sigma::of(s)); };
  if (is_geometric) {
    return misses(geometric(scale), geometric(scale * method.scale), statistic, rows, method, trials, seed);
  }
  return misses(gaussian(scale), gaussian(scale * method.scale), statistic, rows, method, trials, seed);
}

// How many cells refute what is said of the method, at the false-alarm rate of all cells together.
int refuted(const Method& method, std::uint64_t trials) {
  constexpr double cells = 2 * 2 * 3 * 4 * 5 * 3;
  const auto allowed =
      vernier::testing::unsurprising_counts(trials, alpha, 2 * vernier::testing::false_alarm / cells / 2).greatest;
  int count = 0;
  std::uint64_t seed = 900;
  for (const std::int64_t points : {5, 1001}) {
    for (const std::int64_t percent : {50, 90, 25}) {
      const RankStatistic statistic = *RankStatistic::quantile(percent, 100, points);
      for (const Shape& shape : shapes) {
        for (const int n : {0, 1, 5, 50, 5000}) {
          const Rows rows = rows_of(shape, points, n, ++seed);
          for (const double epsilon : {0.05, 0.5, 5.0}) {
            for (const bool is_geometric : {true, false}) {
              const Misses found = misses(is_geometric, epsilon, statistic, rows, method, trials, ++seed);
              count += (found.covering > allowed ? 1 : 0) + (found.ranks > allowed ? 1 : 0);
            }
          }
        }
      }
    }
  }
  return count;
}

TEST(SlowTreeCoverage, IsNowhereRefuted) { EXPECT_EQ(refuted({}, 1000), 0); }

TEST(HeavyTreeCoverage, IsNowhereRefuted) { EXPECT_EQ(refuted({}, 40'000), 0); }

// On a tree of one level nothing is lost between the levels: the misses of no rows are not much rarer than alpha
// allows, and more frequent with any of the mistakes.
TEST(SlowTreeMutants, AreRefutedOnOneLevel) {
  const RankStatistic median = *RankStatistic::quantile(1, 2, 5);
  const std::uint64_t trials = 60'000;
  const auto allowed = vernier::testing::unsurprising_counts(trials, alpha, vernier::testing::false_alarm).greatest;
  const auto seen = [&](bool is_geometric, const Method& method) {
    return misses(is_geometric, 0.05, median, {}, method, trials, 7).covering;
  };
  for (const bool is_geometric : {true, false}) {
    EXPECT_LE(seen(is_geometric, {}), allowed);
    EXPECT_GT(static_cast<double>(seen(is_geometric, {})), 0.7 * alpha * static_cast<double>(trials));
    EXPECT_GT(seen(is_geometric, {.reach = 0.9}), allowed);
    EXPECT_GT(seen(is_geometric, {.scale = 1.1}), allowed);
  }
}

// The boundaries of three levels share noise, so that the sum of their chances is not reached.
TEST(SlowTreeMutants, AreRefutedOnThreeLevels) {
  const RankStatistic median = *RankStatistic::quantile(1, 2, 1001);
  const std::uint64_t trials = 20'000;
  const auto allowed = vernier::testing::unsurprising_counts(trials, alpha, vernier::testing::false_alarm).greatest;
  const auto seen = [&](const Method& method) { return misses(true, 0.05, median, {}, method, trials, 11).covering; };
  EXPECT_LE(seen({}), allowed);
  EXPECT_GT(seen({.reach = 0.75}), allowed);
  EXPECT_GT(seen({.scale = 1.35}), allowed);
}

}  // namespace
}  // namespace vernier::interval
