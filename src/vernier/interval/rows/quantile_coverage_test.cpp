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
#include "vernier/interval/rows/quantile.hpp"
#include "vernier/noise/rank_choice.hpp"
#include "vernier/noise/value_choice.hpp"

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

std::vector<RankStatistic> quantiles() {
  return {*RankStatistic::quantile(1, 2, steps + 1), *RankStatistic::quantile(9, 10, steps + 1),
          *RankStatistic::quantile(1, 4, steps + 1)};
}

std::vector<RankStatistic> extremes() {
  return {*RankStatistic::least(steps + 1), *RankStatistic::greatest(steps + 1)};
}

// ---- ways to make an interval, the one that ships and wrong ones

struct Method {
  double reach = 1;    // of the right one
  double scale = 1;    // of the noise that is drawn, of the one that is declared
  bool swaps = false;  // the two ends
};

std::int64_t part_of(std::int64_t reach, double part) {
  return static_cast<std::int64_t>(static_cast<double>(reach) * part);
}

double scale_of(const RankStatistic& statistic, double epsilon) {
  return static_cast<double>(statistic.row_moves()) / epsilon;
}

// What `work(inference, choice)` gives for the choice by which a value is published, with what is wrong with it.
template <class Work>
auto with_value(const RankStatistic& statistic, const RankGrid& grid, const Rows& rows, double scale,
                const Method& method, const Work& work) {
  const auto inference = *ValueQuantileInference::of(statistic, grid, law_of(scale), *Alpha::of(alpha));
  noise::ValueReach reach = inference.reach();
  reach.least = part_of(reach.least, method.swaps ? -method.reach : method.reach);
  const noise::ValueChoice choice(statistic, rows, reach);
  return work(inference, choice);
}

// The same of ends alone, where there is no value.
template <class Work>
auto with_choice(const RankStatistic& statistic, const RankGrid& grid, const Rows& rows, double scale,
                 const Method& method, const Work& work) {
  if (statistic.has_value()) return with_value(statistic, grid, rows, scale, method, work);
  const auto inference = *QuantileInference::of(statistic, grid, law_of(scale), *Alpha::of(alpha));
  const std::int64_t reach = part_of(inference.reach(), method.reach);
  const noise::RankChoice choice(statistic, rows, method.swaps ? -reach : reach);
  return work(inference, choice);
}

std::uint64_t misses(const RankStatistic& statistic, const Rows& rows, double epsilon, const Method& method,
                     std::uint64_t trials, std::uint64_t seed) {
  const double scale = scale_of(statistic, epsilon);
  const auto count_misses = [&](const auto& inference, const auto& choice) {
    const noise::LevelSampler sampler(law_of(scale * method.scale), choice.levels());
    auto source = vernier::testing::seeded_source(seed);
    std::uint64_t count = 0;
    for (std::uint64_t i = 0; i < trials; ++i) {
      const std::size_t level = *sampler.draw(source);
      const auto place = noise::uniform_below(static_cast<std::uint64_t>(sampler.candidates(level)), source.draws);
      const auto points = choice.candidate(level, static_cast<std::int64_t>(*place));
      if (is_missed(statistic, rows, *inference.from(points))) ++count;
    }
    return count;
  };
  return with_choice(statistic, *RankGrid::of(steps), rows, scale, method, count_misses);
}

// How many cells of these statistics refute that the method covers 95 %, at the false-alarm rate of all cells together.
int refuted(const std::vector<RankStatistic>& statistics, const Method& method, std::uint64_t trials) {
  constexpr double cells = 5 * 5 * 3 * 4;
  const auto allowed =
      vernier::testing::unsurprising_counts(trials, alpha, 2 * vernier::testing::false_alarm / cells).greatest;
  int found = 0;
  std::uint64_t seed = 500;
  for (const RankStatistic& statistic : statistics) {
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

TEST(SlowQuantileCoverage, IsNowhereRefuted) {
  EXPECT_EQ(refuted(quantiles(), {}, 4000), 0);
  EXPECT_EQ(refuted(extremes(), {}, 4000), 0);
}

TEST(HeavyQuantileCoverage, IsNowhereRefuted) {
  EXPECT_EQ(refuted(quantiles(), {}, 200'000), 0);
  EXPECT_EQ(refuted(extremes(), {}, 200'000), 0);
}

TEST(SlowQuantileMutants, OfExtremesAreRefuted) {
  EXPECT_GT(refuted(extremes(), {.reach = 0.9}, 4000), 0);
  EXPECT_GT(refuted(extremes(), {.scale = 1.1}, 4000), 0);
  EXPECT_GT(refuted(extremes(), {.swaps = true}, 4000), 0);
}

// The interval of a value misses less often than alpha allows, so that it takes more to refute it.
TEST(SlowQuantileMutants, OfValuesAreRefuted) {
  EXPECT_GT(refuted(quantiles(), {.reach = 0.7}, 4000), 0);
  EXPECT_GT(refuted(quantiles(), {.scale = 1.45}, 4000), 0);
  EXPECT_GT(refuted(quantiles(), {.swaps = true}, 4000), 0);
}

// ---- exactly

// P[is(points)] over all candidates.
template <class Choice, class Is>
double chance_of(const Choice& choice, double scale, const Is& is) {
  const auto levels = choice.levels();
  double total = 0, found = 0;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const double weight = std::exp(-static_cast<double>(levels[i].distance) / (2 * scale));
    total += weight * static_cast<double>(levels[i].candidates);
    for (std::int64_t place = 0; place < levels[i].candidates; ++place) {
      if (is(choice.candidate(i, place))) found += weight;
    }
  }
  return found / total;
}

double exact_miss(const RankStatistic& statistic, const RankGrid& grid, const Rows& rows, double scale) {
  const auto miss = [&](const auto& inference, const auto& choice) {
    return chance_of(choice, scale,
                     [&](const auto& points) { return is_missed(statistic, rows, *inference.from(points)); });
  };
  return with_choice(statistic, grid, rows, scale, {}, miss);
}

// Of 21 points: some at random, now and then all at a bound, and none.
std::vector<Rows> many_rows() {
  std::vector<Rows> all{{}};
  std::mt19937_64 random(3);
  for (int round = 0; round < 60; ++round) {
    Rows rows;
    for (std::int64_t t = 0; t <= 20; ++t) {
      if (random() % 5 == 0) rows.push_back({t, static_cast<std::int64_t>(1 + random() % 6)});
    }
    if (round % 10 == 1) rows = {{0, 1 + round / 10}};
    if (round % 10 == 2) rows = {{20, 1 + round / 10}};
    all.push_back(rows);
  }
  return all;
}

double worst_miss(const std::vector<RankStatistic>& statistics) {
  const RankGrid grid = *RankGrid::of(20);
  double worst = 0;
  for (const Rows& rows : many_rows()) {
    for (const RankStatistic& statistic : statistics) {
      for (const double scale : {0.4, 5.0, 300.0}) {
        worst = std::max(worst, exact_miss(statistic, grid, rows, scale));
      }
    }
  }
  return worst;
}

// Nor is it wasteful: with all rows at a bound the misses are nearly as frequent as alpha allows.
TEST(QuantileCoverage, OfEndsIsAtLeastWhatItSaysByExactSums) {
  const double worst = worst_miss({*RankStatistic::least(21), *RankStatistic::greatest(21)});
  EXPECT_LE(worst, alpha * (1 + 1e-9));
  EXPECT_GE(worst, 0.9 * alpha);
}

// With no rows at all, a sixth of what alpha allows.
TEST(QuantileCoverage, OfAValueIsAtLeastWhatItSaysByExactSums) {
  const double worst = worst_miss({*RankStatistic::quantile(1, 2, 21), *RankStatistic::quantile(4, 5, 21)});
  EXPECT_LE(worst, alpha * (1 + 1e-9));
  EXPECT_GE(worst, 0.15 * alpha);
}

// ---- the value

bool is_within(const RankStatistic& statistic, const Rows& rows, std::int64_t value, std::int64_t reach) {
  std::int64_t all = 0, below = 0, up_to = 0;
  for (const Occupied& each : rows) {
    all += each.rows;
    below += each.point < value ? each.rows : 0;
    up_to += each.point <= value ? each.rows : 0;
  }
  const bool is_high = value > 0 && statistic.at(below, all) >= reach;
  return !is_high && (value + 1 == statistic.points() || statistic.at(up_to, all) > -reach);
}

// P[the value is `part` of its reach away, or more], where that is largest.
double worst_of_values(double part) {
  double worst = 0;
  for (const Rows& rows : many_rows()) {
    for (const auto& [parts, scale] : {std::pair{5, 0.4}, {5, 5.0}, {8, 0.4}, {8, 2.0}}) {
      const RankStatistic statistic = *RankStatistic::quantile(parts, 10, 21);
      const std::int64_t reach = part_of(*noise::reach_of(law_of(scale), statistic, *Alpha::of(alpha)), part);
      const auto far = [&](const auto&, const noise::ValueChoice& choice) {
        return chance_of(choice, scale,
                         [&](const auto& points) { return !is_within(statistic, rows, points[1], reach); });
      };
      worst = std::max(worst, with_value(statistic, *RankGrid::of(20), rows, scale, {}, far));
    }
  }
  return worst;
}

// The value is as near as a plan says, in ranks.
TEST(QuantileCoverage, OfTheRanksOfAValueIsAtLeastWhatItSaysByExactSums) {
  EXPECT_LE(worst_of_values(1), alpha);
  EXPECT_GT(worst_of_values(0.5), alpha);
}

}  // namespace
}  // namespace vernier::interval
