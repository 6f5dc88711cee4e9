// Whether the intervals of quantiles cover: exactly, by summing over all pairs of ends, and by simulation with the
// sampler that ships; and whether intervals that are known to be wrong are found out in the same way.
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "statistics.hpp"
#include "support/seeded_bits.hpp"
#include "vernier/interval/quantile.hpp"
#include "vernier/noise/rank_choice.hpp"

namespace vernier::interval {
namespace {

using noise::Ends;
using noise::Occupied;
using noise::RankGrid;
using noise::RankStatistic;
using Rows = std::vector<Occupied>;

constexpr double alpha = 0.05;
constexpr std::int64_t steps = 1000;

noise::Exponential law_of(double scale) { return *noise::Exponential::of(*LaplaceScale::of(scale)); }

struct Truth {
  std::int64_t least, greatest;  // every quantile for the fraction lies between these, and these are quantiles
};

Truth truth_of(const RankStatistic& statistic, const Rows& rows) {
  std::int64_t all = 0, up_to = 0;
  for (const Occupied& each : rows) all += each.rows;
  Truth truth{-1, -1};
  for (const Occupied& each : rows) {
    up_to += each.rows;
    if (truth.least < 0 && statistic.at(up_to, all) >= 0) truth.least = each.point;
    if (truth.greatest < 0 && statistic.at(up_to, all) > 0) truth.greatest = each.point;
  }
  // Least and greatest value are one number; a quantile is a stretch where the fraction falls between two rows.
  if (statistic.ends() != Ends::both || truth.greatest < 0) truth.greatest = truth.least;
  return truth;
}

bool is_missed(const RankStatistic& statistic, const Rows& rows, const QuantileInterval& found) {
  if (rows.empty()) return !found.may_be_empty;  // of no rows: they must not be excluded
  const Truth truth = truth_of(statistic, rows);
  return truth.least < found.low || truth.greatest > found.high;
}

// ---- shapes of data

using Shape = std::function<std::int64_t(std::mt19937_64&)>;

std::int64_t on_grid(double place) { return std::clamp<std::int64_t>(std::llround(place * steps), 0, steps); }

const std::vector<Shape> shapes = {
    [](std::mt19937_64& random) { return on_grid(std::uniform_real_distribution<>(0, 1)(random)); },
    [](std::mt19937_64& random) { return on_grid(std::lognormal_distribution<>(-2, 1)(random)); },
    [](std::mt19937_64&) { return std::int64_t{0}; },                                       // ties at a bound
    [](std::mt19937_64& random) { return random() % 4 == 0 ? std::int64_t{steps} : 300; },  // two atoms
};

Rows rows_of(const Shape& shape, int n, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::map<std::int64_t, std::int64_t> counts;
  for (int i = 0; i < n; ++i) ++counts[shape(random)];
  Rows rows;
  for (const auto& [point, count] : counts) rows.push_back({point, count});
  return rows;
}

std::vector<RankStatistic> statistics() {
  std::vector<RankStatistic> all;
  for (const double fraction : {0.5, 0.9, 0.25}) {
    all.push_back(*RankStatistic::quantile(std::llround(fraction * 1000), 1000, steps + 1));
  }
  all.push_back(*RankStatistic::least(steps + 1));
  all.push_back(*RankStatistic::greatest(steps + 1));
  return all;
}

// ---- ways to make an interval, the one that ships and wrong ones

struct Method {
  double reach = 1;    // of the right one
  double scale = 1;    // of the noise that is drawn, of the one that is declared
  bool swaps = false;  // the two ends
};

std::uint64_t misses(const RankStatistic& statistic, const Rows& rows, double epsilon, const Method& method,
                     std::uint64_t trials, std::uint64_t seed) {
  const std::int64_t a = statistic.numerator(), b = statistic.denominator();
  const double scale = static_cast<double>(std::max(a, b - a)) / epsilon;
  const auto inference = *QuantileInference::of(statistic, *RankGrid::of(steps), law_of(scale), *Alpha::of(alpha));
  const auto law = law_of(scale * method.scale);
  const auto reach = static_cast<std::int64_t>(static_cast<double>(inference.reach()) * method.reach);
  const noise::RankChoice choice(statistic, rows, method.swaps ? -reach : reach);
  const noise::LevelSampler sampler(law, choice.levels());
  auto source = vernier::testing::seeded_source(seed);
  std::uint64_t count = 0;
  for (std::uint64_t i = 0; i < trials; ++i) {
    const std::size_t level = *sampler.draw(source);
    const auto place = noise::uniform_below(static_cast<std::uint64_t>(sampler.candidates(level)), source.draws);
    const auto ends = choice.candidate(level, static_cast<std::int64_t>(*place));
    if (is_missed(statistic, rows, *inference.from(ends))) ++count;
  }
  return count;
}

// How many cells refute that the method covers 95 %, at the false-alarm rate of all cells together.
int refuted(const Method& method, std::uint64_t trials) {
  constexpr double cells = 5 * 5 * 3 * 4;
  const auto allowed =
      vernier::testing::unsurprising_counts(trials, alpha, 2 * vernier::testing::false_alarm / cells).greatest;
  int found = 0;
  std::uint64_t seed = 500;
  for (const RankStatistic& statistic : statistics()) {
    for (const Shape& shape : shapes) {
      for (const int n : {0, 1, 5, 50, 5000}) {
        const Rows rows = rows_of(shape, n, ++seed);
        for (const double epsilon : {0.05, 0.5, 5.0}) {
          if (misses(statistic, rows, epsilon, method, trials, ++seed) > allowed) ++found;
        }
      }
    }
  }
  return found;
}

TEST(SlowQuantileCoverage, IsNowhereRefuted) { EXPECT_EQ(refuted({}, 4000), 0); }

TEST(HeavyQuantileCoverage, IsNowhereRefuted) { EXPECT_EQ(refuted({}, 200'000), 0); }

TEST(SlowQuantileMutants, AreRefuted) {
  EXPECT_GT(refuted({.reach = 0.9}, 4000), 0);
  EXPECT_GT(refuted({.scale = 1.1}, 4000), 0);
  EXPECT_GT(refuted({.swaps = true}, 4000), 0);
}

// ---- exactly

double exact_miss(const RankStatistic& statistic, const RankGrid& grid, const Rows& rows, double scale) {
  const auto inference = *QuantileInference::of(statistic, grid, law_of(scale), *Alpha::of(alpha));
  const noise::RankChoice choice(statistic, rows, inference.reach());
  const std::vector<noise::Level> levels = choice.levels();
  double total = 0, missed = 0;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const double weight = std::exp(-static_cast<double>(levels[i].distance) / (2 * scale));
    total += weight * static_cast<double>(levels[i].candidates);
    for (std::int64_t place = 0; place < levels[i].candidates; ++place) {
      if (is_missed(statistic, rows, *inference.from(choice.candidate(i, place)))) missed += weight;
    }
  }
  return missed / total;
}

// Nor is it wasteful: with all rows at a bound the misses are nearly as frequent as alpha allows.
TEST(QuantileCoverage, IsAtLeastWhatItSaysByExactSums) {
  const RankGrid grid = *RankGrid::of(20);
  double worst = 0;
  std::mt19937_64 random(3);
  for (int round = 0; round < 60; ++round) {
    Rows rows;
    for (std::int64_t t = 0; t <= 20; ++t) {
      if (random() % 5 == 0) rows.push_back({t, static_cast<std::int64_t>(1 + random() % 6)});
    }
    if (round % 10 == 1) rows = {{0, 1 + round / 10}};
    if (round % 10 == 2) rows = {{20, 1 + round / 10}};
    for (const double fraction : {0.5, 0.8}) {
      for (const double scale : {0.4, 5.0, 300.0}) {
        worst = std::max(
            worst, exact_miss(*RankStatistic::quantile(std::llround(fraction * 1000), 1000, 21), grid, rows, scale));
      }
    }
    for (const double scale : {0.4, 5.0, 300.0}) {
      worst = std::max(worst, exact_miss(*RankStatistic::least(21), grid, rows, scale));
      worst = std::max(worst, exact_miss(*RankStatistic::greatest(21), grid, rows, scale));
    }
  }
  EXPECT_LE(worst, alpha * (1 + 1e-9));
  EXPECT_GE(worst, 0.9 * alpha);
}

}  // namespace
}  // namespace vernier::interval
