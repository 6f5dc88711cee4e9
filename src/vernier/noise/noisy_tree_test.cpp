#include "vernier/noise/noisy_tree.hpp"

#include <random>

#include <gtest/gtest.h>

#include "support/occupied_rows.hpp"

namespace vernier::noise {
namespace {

using Rows = std::vector<Occupied>;

Rows random_rows(std::mt19937_64& random, std::int64_t points) {
  return vernier::testing::random_rows(random, points, 9);
}

std::int64_t rows_in(const Rows& rows, std::int64_t first, std::int64_t end) {
  std::int64_t count = 0;
  for (const Occupied& each : rows) count += first <= each.point && each.point < end ? each.rows : 0;
  return count;
}

const auto no_noise = [](std::span<std::int64_t> out) -> Result<void> {
  std::fill(out.begin(), out.end(), 0);
  return {};
};

// Every node of a level, with the noise of a fixed table: node i of level l has (37 i + 11 l) % 19 - 9.
std::int64_t table_noise(int level, std::int64_t node) { return (37 * node + 11 * level) % 19 - 9; }

struct TableTree {
  const CountTree& tree;
  const Rows& rows;
  const CountTree& shape() const { return tree; }
  std::int64_t noisy(int level, std::int64_t node) const {
    return rows_in(rows, tree.first_point(level, node), tree.end_point(level, node)) + table_noise(level, node);
  }
  // The search looks at the children of one node and of the one above it.
  Result<std::span<const std::int64_t>> children(int level, std::int64_t parent) {
    std::vector<std::int64_t>& out = answers[static_cast<std::size_t>(level)];
    out.clear();
    const auto all = tree.children(level, parent);
    for (std::int64_t node = all.first; node < all.end; ++node) out.push_back(noisy(level, node));
    return std::span<const std::int64_t>(out);
  }
  std::array<std::vector<std::int64_t>, CountTree::most_levels> answers = {};
};

// 2 D before a point by its definition: at the level where the boundary lies between two children of one node, counts
// of level 0 weigh 2 (b - a) before it and -2 a behind it, b - 2 a where it lies in them; deeper ones b and -b.
TreeSum defined(const TableTree& table, const RankStatistic& statistic, int deepest, std::int64_t point) {
  const std::int64_t a = statistic.numerator(), b = statistic.denominator();
  TreeSum sum = 0;
  std::int64_t parent = 0;
  for (int level = 0; level <= deepest; ++level) {
    const auto all = table.tree.children(level, parent);
    for (std::int64_t node = all.first; node < all.end; ++node) {
      const bool is_before = table.tree.end_point(level, node) <= point;
      const bool is_behind = table.tree.first_point(level, node) >= point;
      const std::int64_t weight = level == 0 ? (is_before   ? 2 * (b - a)
                                                : is_behind ? -2 * a
                                                            : b - 2 * a)
                                             : (is_before   ? b
                                                : is_behind ? -b
                                                            : 0);
      sum += TreeSum{weight} * table.noisy(level, node);
      if (!is_before && !is_behind) parent = node;
    }
  }
  return sum;
}

// The search by its definition, one level after the other.
std::int64_t defined_end(const TableTree& table, const RankStatistic& statistic, std::int64_t reach, bool is_lower) {
  std::int64_t node = 0;
  for (int level = 0; level < table.tree.levels(); ++level) {
    const auto all = table.tree.children(level, node);
    const std::int64_t first = all.first, last = all.end - 1;
    if (is_lower) {
      node = first;
      while (node < last && defined(table, statistic, level, table.tree.end_point(level, node)) < -reach) ++node;
    } else {
      node = last;
      while (node > first && defined(table, statistic, level, table.tree.first_point(level, node)) > reach) --node;
    }
  }
  return node;
}

TEST(NoisyTree, CountsTheRowsOfEveryNode) {
  std::mt19937_64 random(1);
  for (const std::int64_t points : {2, 19, 40, 300, 2000}) {
    const CountTree tree = CountTree::of(points).value();
    const Rows rows = random_rows(random, points);
    NoisyTree noisy(tree, rows, no_noise);
    for (int level = 0; level < tree.levels(); ++level) {
      const std::int64_t parents = level == 0 ? 1 : tree.children(level - 1, 0).end;
      for (std::int64_t parent = 0; parent < parents; ++parent) {
        const auto all = tree.children(level, parent);
        const auto counts = noisy.children(level, parent).value();
        ASSERT_EQ(static_cast<std::int64_t>(counts.size()), all.count());
        for (std::int64_t node = all.first; node < all.end; ++node) {
          EXPECT_EQ(counts[static_cast<std::size_t>(node - all.first)],
                    rows_in(rows, tree.first_point(level, node), tree.end_point(level, node)));
        }
      }
    }
  }
}

// Whoever looks twice, by way of whatever fraction, sees the same noise, and no node has two.
TEST(NoisyTree, DrawsEveryNodeOnce) {
  const CountTree tree = CountTree::of(1001).value();
  const Rows rows{{3, 40}, {500, 100}, {501, 7}, {900, 60}};
  std::int64_t next = 0;
  std::size_t drawn = 0;
  const auto counting = [&](std::span<std::int64_t> out) -> Result<void> {
    for (std::int64_t& one : out) one = ++next;  // never the same twice
    drawn += out.size();
    return {};
  };
  NoisyTree noisy(tree, rows, counting);
  const auto first = noisy.children(0, 0).value();
  const std::vector<std::int64_t> seen(first.begin(), first.end());
  const std::size_t at_first = drawn;
  const RankStatistic median = RankStatistic::quantile(1, 2, 1001).value();
  const auto ends = tree_ends(noisy, median, 20).value();
  const std::size_t after_one = drawn;
  EXPECT_EQ(tree_ends(noisy, median, 20).value(), ends);
  EXPECT_EQ(drawn, after_one);
  EXPECT_EQ(at_first, static_cast<std::size_t>(tree.branching(0)));
  EXPECT_LE(after_one, at_first + 2 * 2 * static_cast<std::size_t>(tree.branching(1)));
  const auto again = noisy.children(0, 0).value();
  EXPECT_EQ(std::vector<std::int64_t>(again.begin(), again.end()), seen);
}

TEST(NoisyTree, FailsWhereItsNoiseDoes) {
  const CountTree tree = CountTree::of(40).value();
  NoisyTree noisy(tree, Rows{}, [](std::span<std::int64_t>) -> Result<void> { return invalid("no noise"); });
  EXPECT_FALSE(tree_ends(noisy, RankStatistic::quantile(1, 2, 40).value(), 5));
}

// What could not be drawn is not there: who asks again gets a count with noise, or the error again.
TEST(NoisyTree, HasNothingInPlaceOfNoiseThatFailed) {
  const CountTree tree = CountTree::of(40).value();
  const Rows rows{{3, 1000}};
  int asked = 0;
  const auto fails_twice = [&](std::span<std::int64_t> out) -> Result<void> {
    if (++asked <= 2) return invalid("no noise");
    std::fill(out.begin(), out.end(), 7);
    return {};
  };
  NoisyTree noisy(tree, rows, fails_twice);
  EXPECT_FALSE(noisy.children(0, 0));
  EXPECT_FALSE(noisy.children(0, 0));
  const auto children = noisy.children(0, 0);
  ASSERT_TRUE(children);
  EXPECT_EQ(children->front(), 1007);
}

// Without noise the ends are where D crosses the reach, exactly.
TEST(TreeEnds, AreWhereRanksCrossTheReachWithoutNoise) {
  std::mt19937_64 random(2);
  for (const std::int64_t points : {2, 19, 40, 300, 2000}) {
    const Rows rows = random_rows(random, points);
    const std::int64_t all = rows_in(rows, 0, points);
    NoisyTree noisy(CountTree::of(points).value(), rows, no_noise);
    for (const std::int64_t parts : {1, 3, 5, 9}) {
      const RankStatistic statistic = RankStatistic::quantile(parts, 10, points).value();
      for (const std::int64_t reach : {0, 1, 30, 1000}) {
        std::int64_t lower = 0, upper = points - 1;
        while (lower < points - 1 && 2 * statistic.at(rows_in(rows, 0, lower + 1), all) < -reach) ++lower;
        while (upper > 0 && 2 * statistic.at(rows_in(rows, 0, upper), all) > reach) --upper;
        EXPECT_EQ(tree_ends(noisy, statistic, reach).value(), (std::array{lower, upper}));
      }
    }
  }
}

TEST(TreeEnds, AreThoseOfTheDefinitionAndNeverCross) {
  std::mt19937_64 random(3);
  for (const std::int64_t points : {5, 40, 41, 300, 1001}) {
    const CountTree tree = CountTree::of(points).value();
    const Rows rows = random_rows(random, points);
    TableTree table{tree, rows};
    for (const std::int64_t parts : {1, 5, 8}) {
      const RankStatistic statistic = RankStatistic::quantile(parts, 10, points).value();
      for (const std::int64_t reach : {0, 5, 100, 800}) {
        const auto ends = tree_ends(table, statistic, reach).value();
        EXPECT_EQ(ends[0], defined_end(table, statistic, reach, true)) << points;
        EXPECT_EQ(ends[1], defined_end(table, statistic, reach, false)) << points;
        EXPECT_LE(ends[0], ends[1]);
      }
    }
  }
}

}  // namespace
}  // namespace vernier::noise
