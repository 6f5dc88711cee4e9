#include "vernier/noise/rank_choice.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <span>

#include <gtest/gtest.h>

#include "statistics.hpp"
#include "support/occupied_rows.hpp"
#include "support/seeded_bits.hpp"

namespace vernier::noise {
namespace {

using Rows = std::vector<Occupied>;
using vernier::testing::random_rows;
using vernier::testing::with_one_more;
using Pair = std::array<std::int64_t, 2>;

RankStatistic quantile(double fraction, std::int64_t points) {
  return *RankStatistic::quantile(std::llround(fraction * 1000), 1000, points);
}

// The definition, point by point.
std::int64_t brute_distance(const RankStatistic& statistic, const Rows& rows, std::int64_t t, const RankReach& reach,
                            End end) {
  std::int64_t all = 0, below = 0, up_to = 0;
  for (const Occupied& each : rows) {
    all += each.rows;
    below += each.point < t ? each.rows : 0;
    up_to += each.point <= t ? each.rows : 0;
  }
  const auto d = [&](std::int64_t rows_up_to) {
    const std::int64_t moved = end == End::lower ? reach.of_lower(all - rows_up_to) : -reach.of_upper(rows_up_to);
    return statistic.at(rows_up_to, all) + moved;
  };
  const std::int64_t target = end == End::lower ? -reach.of_choice() : reach.of_choice() - statistic.offset();
  const bool is_first = t == 0, is_last = t == statistic.points() - 1;
  if (!is_last && d(up_to) < target) return target - d(up_to);
  if (!is_first && d(below) > target) return d(below) - target;
  return 0;
}

std::map<Pair, std::int64_t> brute_distances(const RankStatistic& statistic, const Rows& rows, const RankReach& reach) {
  const std::int64_t last = statistic.points() - 1;
  const bool has_lower = statistic.ends() != Ends::upper, has_upper = statistic.ends() != Ends::lower;
  std::map<Pair, std::int64_t> all;
  for (std::int64_t low = 0; low <= (has_lower ? last : 0); ++low) {
    for (std::int64_t high = has_upper ? 0 : last; high <= last; ++high) {
      const std::int64_t a = has_lower ? brute_distance(statistic, rows, low, reach, End::lower) : 0;
      const std::int64_t b = has_upper ? brute_distance(statistic, rows, high, reach, End::upper) : 0;
      all[{low, high}] = std::max(a, b);
    }
  }
  return all;
}

std::map<Pair, std::int64_t> listed(const RankChoice& choice) {
  std::map<Pair, std::int64_t> all;
  const random::Wiped<Level> levels = choice.levels();
  for (std::size_t i = 0; i < levels.size(); ++i) {
    for (std::int64_t place = 0; place < levels[i].candidates; ++place) {
      const bool is_new = all.emplace(choice.candidate(i, place), levels[i].distance).second;
      EXPECT_TRUE(is_new) << "twice";
    }
  }
  return all;
}

void expect_as_defined(const RankStatistic& statistic, const Rows& rows, const RankReach& reach) {
  const RankChoice choice(statistic, rows, reach);
  const random::Wiped<Level> levels = choice.levels();
  EXPECT_EQ(levels.front().distance, 0);
  for (std::size_t i = 1; i < levels.size(); ++i) EXPECT_LT(levels[i - 1].distance, levels[i].distance);
  EXPECT_EQ(listed(choice), brute_distances(statistic, rows, reach))
      << "points " << statistic.points() << " rows " << rows.size() << " reach " << reach.of_choice();
}

// A reach that grows with the rows beyond an end, as that of a sample does.
RankReach growing(std::int64_t choice, const RankStatistic& statistic, std::span<const std::int64_t> needed = {}) {
  const std::int64_t below = statistic.numerator() / 2, above = statistic.denominator() / 2 - below;
  const double square = static_cast<double>(statistic.denominator() * below);
  return {choice, EndReach(0.5, square, below, needed), EndReach(2.5, square / 3, above)};
}

TEST(RankChoice, ListsEveryCandidateOnceAtItsDistance) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 300; ++round) {
    const auto points = static_cast<std::int64_t>(2 + random() % 12);
    const auto reach = static_cast<std::int64_t>(1 + random() % 30);
    const Rows rows = random_rows(random, points);
    for (const double fraction : {0.5, 0.1, 0.75}) expect_as_defined(quantile(fraction, points), rows, reach);
    expect_as_defined(*RankStatistic::least(points), rows, reach);
    expect_as_defined(*RankStatistic::greatest(points), rows, reach);
    const RankStatistic of_sample = *RankStatistic::sample_quantile(1 + round % 9, 10, points);
    expect_as_defined(of_sample, rows, growing(reach, of_sample));
  }
}

// MIN(x) is -MAX(-x), with every candidate at the same distance.
TEST(RankChoice, HasAMinimumThatIsTheMaximumMirrored) {
  std::mt19937_64 random(9);
  for (int round = 0; round < 100; ++round) {
    const auto points = static_cast<std::int64_t>(2 + random() % 12);
    const auto reach = static_cast<std::int64_t>(1 + random() % 5);
    const Rows rows = random_rows(random, points);
    Rows mirrored;
    for (auto row = rows.rbegin(); row != rows.rend(); ++row) mirrored.push_back({points - 1 - row->point, row->rows});
    const auto least = listed(RankChoice(*RankStatistic::least(points), rows, reach));
    const auto greatest = listed(RankChoice(*RankStatistic::greatest(points), mirrored, reach));
    for (const auto& [pair, distance] : least) {
      EXPECT_EQ(distance, greatest.at({points - 1 - pair[1], points - 1})) << "points " << points << " reach " << reach;
    }
  }
}

// A reach of 1 states one rank: with two rows at the lower bound no end with both of them below it is near.
TEST(RankChoice, PutsTheMinimumNoFurtherThanItsRanks) {
  for (const auto& [pair, distance] : listed(RankChoice(*RankStatistic::least(5), Rows{{0, 2}}, 1))) {
    EXPECT_TRUE(pair[1] <= 0 || distance >= 1) << pair[1] << ": " << distance;
  }
}

TEST(RankChoice, HasAnAnswerForNoRowsAndForTies) {
  for (const std::int64_t points : {2, 3, 9}) {
    for (const std::int64_t reach : {1, 5, 1000}) {
      expect_as_defined(quantile(0.5, points), {}, reach);
      expect_as_defined(quantile(0.9, points), {{0, 1}}, reach);
      expect_as_defined(quantile(0.9, points), {{points - 1, 1}}, reach);
      expect_as_defined(quantile(0.25, points), {{1, 500}}, reach);
      expect_as_defined(*RankStatistic::least(points), {{1, 500}}, reach);
      expect_as_defined(*RankStatistic::greatest(points), {}, reach);
    }
  }
}

// The same two rows on a grid of 2^20 points have a handful of levels.
TEST(RankChoice, CostsByValuesAndNotByPoints) {
  const Rows rows{{17, 2}, {500'000, 3}};
  const RankChoice choice(quantile(0.5, most_rank_points), rows, 4);
  EXPECT_LE(choice.levels().size(), 14U);
  std::int64_t candidates = 0;
  for (const Level& level : choice.levels()) candidates += level.candidates;
  EXPECT_EQ(candidates, std::int64_t{1} << 40);
}

// ---- what one row moves: never more than is declared, at any point

TEST(RankChoice, MovesNoDistanceByMoreThanOneRowCan) {
  std::mt19937_64 random(8);
  for (int round = 0; round < 200; ++round) {
    const auto points = static_cast<std::int64_t>(2 + random() % 10);
    const auto reach = static_cast<std::int64_t>(1 + random() % 20);
    const Rows rows = random_rows(random, points);
    const Rows with = with_one_more(rows, static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(points)));
    for (const RankStatistic& statistic : {quantile(0.5, points), quantile(0.1, points), quantile(0.7, points),
                                           *RankStatistic::least(points), *RankStatistic::greatest(points)}) {
      const std::int64_t a = statistic.numerator(), b = statistic.denominator();
      const auto before = brute_distances(statistic, rows, reach), after = brute_distances(statistic, with, reach);
      for (const auto& [pair, distance] : before) {
        EXPECT_LE(std::abs(distance - after.at(pair)), std::max(a, b - a)) << "fraction " << a << '/' << b;
      }
    }
  }
}

TEST(RankChoice, MovesNoDistanceByMoreThanOneRowCanWhereTheReachGrowsWithTheRows) {
  std::mt19937_64 random(9);
  const std::vector<std::int64_t> wild{0, 0, 40, 3, 3, 90, 2, 0, 0, 0, 300, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  bool is_reached = false;
  for (int round = 0; round < 200; ++round) {
    const std::int64_t points = 5;
    const RankStatistic statistic = *RankStatistic::sample_quantile(1 + round % 9, 10, points);
    const RankReach reach = growing(3, statistic, wild);
    const auto count = static_cast<std::int64_t>(random() % (round % 2 == 0 ? 400 : 12));
    const std::int64_t point = round % points;
    const Rows rows{{0, 1 + count}, {2, 1 + count / 3}};
    const auto before = brute_distances(statistic, rows, reach);
    const auto after = brute_distances(statistic, with_one_more(rows, point), reach);
    for (const auto& [pair, distance] : before) {
      const std::int64_t moved = std::abs(distance - after.at(pair));
      EXPECT_LE(moved, statistic.row_moves());
      is_reached = is_reached || moved == statistic.row_moves();
    }
  }
  EXPECT_TRUE(is_reached);
}

// ---- what a reach grows by with a row

TEST(EndReach, NeverFallsAndRisesByNoMoreThanItsSlope) {
  std::mt19937_64 random(10);
  for (int round = 0; round < 300; ++round) {
    const auto slope = static_cast<std::int64_t>(1 + random() % (round % 3 == 0 ? 1'000'000 : 5));
    const double square = static_cast<double>(slope) * std::exp2(static_cast<double>(random() % 51)) * 1.37;
    std::vector<std::int64_t> needed;
    for (std::uint64_t i = 0; i < random() % 200; ++i) needed.push_back(static_cast<std::int64_t>(random() % 500));
    const EndReach reach(static_cast<double>(random() % 10), square, slope, needed);
    const double turn = square / (4.0 * static_cast<double>(slope) * static_cast<double>(slope));
    const auto check = [&](std::int64_t rows) {
      const std::int64_t step = reach.at(rows + 1) - reach.at(rows);
      ASSERT_GE(step, 0) << rows;
      ASSERT_LE(step, slope) << rows;
    };
    for (std::int64_t rows = 0; rows < 400; ++rows) check(rows);
    for (std::int64_t i = 0; i < 400; ++i) {
      check(static_cast<std::int64_t>(std::min(turn, 0x1p44)) + i);
      check(static_cast<std::int64_t>(random() >> (21 + random() % 40)));
    }
  }
}

TEST(EndReach, IsTheRootWhereThatRisesSlowlyEnoughAndNeverLess) {
  const EndReach reach(2.5, 8.14, 1);
  for (std::int64_t rows = 0; rows < 10'000; ++rows) {
    const double root = 2.5 + std::sqrt(8.14 * static_cast<double>(rows));
    ASSERT_GE(static_cast<double>(reach.at(rows)), root);
    ASSERT_LE(static_cast<double>(reach.at(rows)), root + (rows > 3 ? 2 : 5));
  }
}

TEST(EndReach, IsWhatIsNeededForTheFirstRows) {
  const std::vector<std::int64_t> needed{0, 1, 2, 3, 3, 2, 4, 5, 4, 4, 5, 5, 5, 5, 5, 5, 5};
  const EndReach reach(1, 4, 1, needed);
  const std::vector<std::int64_t> expected{0, 1, 2, 3, 3, 3, 4, 5, 5, 5, 5, 5, 5, 6, 7, 8, 9};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(reach.at(static_cast<std::int64_t>(i)),
              std::min(expected[i], EndReach(1, 4, 1).at(static_cast<std::int64_t>(i))))
        << i;
  }
}

// ---- the draws, by simulation

void expect_law(const RankStatistic& statistic, const Rows& rows, double scale, std::int64_t reach) {
  constexpr std::uint64_t trials = 15'000;
  const Exponential law = *Exponential::of(*LaplaceScale::of(scale));
  const auto distances = brute_distances(statistic, rows, reach);
  double total = 0;
  for (const auto& [pair, distance] : distances) total += std::exp(-static_cast<double>(distance) / (2 * scale));
  std::map<Pair, std::uint64_t> counts;
  auto source = vernier::testing::seeded_source(21);
  for (std::uint64_t i = 0; i < trials; ++i) ++counts[*draw_points(law, statistic, rows, reach, source)];
  const double level = vernier::testing::false_alarm / static_cast<double>(distances.size());
  for (const auto& [pair, distance] : distances) {
    const double chance = std::exp(-static_cast<double>(distance) / (2 * scale)) / total;
    EXPECT_TRUE(vernier::testing::unsurprising_counts(trials, chance, level).contains(counts[pair]))
        << pair[0] << ' ' << pair[1] << " drawn " << counts[pair] << " expected " << chance * trials;
  }
}

TEST(RankChoice, DrawsPairsByTheLaw) {
  const Rows rows{{1, 3}, {2, 1}, {6, 4}};
  for (const double scale : {0.001, 0.7, 5.0, 1e6}) {
    expect_law(quantile(0.5, 8), rows, scale, 5);
    expect_law(quantile(0.9, 8), rows, scale, 12);
    expect_law(*RankStatistic::least(8), rows, scale, 3);
    expect_law(*RankStatistic::greatest(8), rows, scale, 3);
  }
  expect_law(quantile(0.5, 5), {}, 1, 4);
  expect_law(quantile(0.5, 5), {{2, 100}}, 1, 4);
}

TEST(RankStatistic, RefusesWhatIsNoFraction) {
  for (const auto& [parts, whole] : {std::pair{0, 1}, {1, 1}, {-1, 2}, {3, 2}, {1, -2}, {1, 0}, {1, 10'000'000}}) {
    EXPECT_FALSE(RankStatistic::quantile(parts, whole, 10)) << parts << '/' << whole;
  }
  EXPECT_TRUE(RankStatistic::quantile(999'999, 1'000'000, 10));
  EXPECT_EQ(RankStatistic::quantile(500, 1000, 10)->denominator(), 2);
  EXPECT_FALSE(RankStatistic::quantile(1, 2, 1));
  EXPECT_FALSE(RankStatistic::least(most_rank_points + 1));
}

TEST(RankGrid, HalvesUntilItHasAMillionPoints) {
  for (const std::int64_t steps : {std::int64_t{1}, most_rank_points - 1, most_rank_points,
                                   std::int64_t{123'456'789'012}, std::int64_t{1} << 53}) {
    const RankGrid grid = *RankGrid::of(steps);
    EXPECT_LE(grid.points(), most_rank_points);
    EXPECT_TRUE(grid.halvings() == 0 || 2 * grid.points() > most_rank_points);
    EXPECT_EQ(grid.first(0), 0);
    EXPECT_EQ(grid.last(grid.points() - 1), steps);
    EXPECT_EQ(grid.last(0) + 1, grid.first(1));
    EXPECT_EQ(grid.first(grid.points() - 1) >> grid.halvings(), grid.points() - 1);
  }
  EXPECT_FALSE(RankGrid::of(0));
}

}  // namespace
}  // namespace vernier::noise
