#include "vernier/interval/relation/relation.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace vernier::interval {
namespace {

using Sums = std::array<std::int64_t, pair_nodes>;

constexpr std::array all_relations = {Relation::count,       Relation::mean_x,
                                      Relation::mean_y,      Relation::squares_x,
                                      Relation::squares_y,   Relation::products,
                                      Relation::slope,       Relation::covariance_population,
                                      Relation::intercept,   Relation::covariance_sample,
                                      Relation::correlation, Relation::determination};

const PairShape shape{{4, 10, 30}, {8, -2, 2}, 1 << 8, 1'000'000};

// Rows at k of x and l of y.
Sums sums_of(const PairShape& of, const std::vector<std::pair<int, int>>& rows, int times = 1) {
  Sums sums{};
  for (const auto& [k, l] : rows) {
    const auto row = pair_row(of, k, l);
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += times * row[i];
  }
  return sums;
}

RelationInterval found(const PairShape& of, const Sums& sums, Relation relation, double scale_in_rows = 0.01) {
  const PairLaw law{false, scale_in_rows * static_cast<double>(of.weight())};
  return *RelationInference::of(law, of, *Alpha::of(0.05), relation)->from(sums);
}

const std::vector<std::pair<int, int>> table = {{0, 1}, {1, 0}, {2, 5}, {3, 4}, {4, 8}, {4, 6}, {2, 2}};

TEST(Relation, AddsUpNodesThatAreNeverNegative) {
  for (int k = 0; k <= 4; ++k) {
    for (int l = 0; l <= 8; ++l) {
      std::int64_t total = 0;
      for (const std::int64_t node : pair_row(shape, k, l)) {
        EXPECT_GE(node, 0);
        total += node;
      }
      EXPECT_EQ(total, shape.weight());
    }
  }
}

// By hand: x = 10, 15, 20, 25, 30, 30, 20 and y = -1.5, -2, 0.5, 0, 2, 1, -1, each 1000 times.
TEST(Relation, FindsWhatTheRowsHaveWhereTheNoiseIsSmall) {
  const Sums sums = sums_of(shape, table, 1000);
  const double n = 7000, xx = 335.714285714286 * 1000, yy = 12.3571428571429 * 1000, xy = 56.4285714285714 * 1000;
  const auto expect = [&](Relation relation, double truth, double tolerance) {
    const RelationInterval one = found(shape, sums, relation);
    EXPECT_NEAR(one.value, truth, tolerance) << static_cast<int>(relation);
    EXPECT_TRUE(one.interval.contains(truth)) << static_cast<int>(relation);
    EXPECT_TRUE(one.informative);
    EXPECT_FALSE(one.may_be_empty);
  };
  expect(Relation::count, n, 0);
  expect(Relation::mean_x, 150.0 / 7, 1e-3);
  expect(Relation::mean_y, -1.0 / 7, 1e-3);
  expect(Relation::squares_x, xx, 30);
  expect(Relation::squares_y, yy, 1);
  expect(Relation::products, xy, 5);
  expect(Relation::covariance_population, xy / n, 1e-3);
  expect(Relation::covariance_sample, xy / (n - 1), 1e-3);
  expect(Relation::slope, xy / xx, 1e-4);
  expect(Relation::intercept, -1.0 / 7 - xy / xx * 150 / 7, 1e-2);
  expect(Relation::correlation, xy / std::sqrt(xx * yy), 1e-3);
  expect(Relation::determination, xy * xy / (xx * yy), 1e-3);
}

TEST(Relation, SaysNothingWhereThereIsNothing) {
  for (const Relation relation : {Relation::slope, Relation::correlation, Relation::intercept}) {
    for (const auto& rows : std::vector<std::vector<std::pair<int, int>>>{{}, {{2, 3}}, {{1, 2}, {1, 7}}}) {
      const RelationInterval one = found(shape, sums_of(shape, rows), relation, 1);
      EXPECT_FALSE(one.informative) << static_cast<int>(relation) << " of " << rows.size() << " rows";
      EXPECT_TRUE(one.interval.contains(one.value));
    }
    const RelationInterval constant = found(shape, sums_of(shape, {{2, 1}, {2, 7}}, 1000), relation, 1);
    EXPECT_FALSE(constant.informative) << static_cast<int>(relation) << " of a constant x";
  }
}

TEST(Relation, KeepsValuesInIntervalsAndIntervalsInWhatIsPossible) {
  for (const Relation relation : all_relations) {
    for (std::int64_t seed = 0; seed < 200; ++seed) {
      Sums sums = sums_of(shape, table, static_cast<int>(seed));
      for (std::size_t i = 0; i < sums.size(); ++i) {
        sums[i] += ((seed * 7919 + static_cast<std::int64_t>(i) * 104729) % 2001 - 1000) * shape.weight() / 100;
      }
      const RelationInterval one = found(shape, sums, relation, 3);
      EXPECT_LE(one.interval.low, one.value);
      EXPECT_GE(one.interval.high, one.value);
      EXPECT_LE(one.value - one.accuracy, one.interval.low);
      const bool is_cut = relation == Relation::correlation || relation == Relation::determination;
      EXPECT_TRUE(!is_cut || std::max(-one.interval.low, one.interval.high) <= 1);
      EXPECT_TRUE(relation != Relation::determination || one.interval.low >= 0);
    }
  }
}

// y -> lower + upper - y mirrors slope and correlation; x and y exchanged have the same correlation.
TEST(Relation, TurnsWithItsColumns) {
  const PairShape turned{shape.y, shape.x, shape.fineness, shape.row_limit};
  std::vector<std::pair<int, int>> mirrored, exchanged;
  for (const auto& [k, l] : table) mirrored.emplace_back(k, 8 - l), exchanged.emplace_back(l, k);
  const Sums rows = sums_of(shape, table, 300);
  const auto correlation = found(shape, rows, Relation::correlation, 1);
  const auto other = found(turned, sums_of(turned, exchanged, 300), Relation::correlation, 1);
  EXPECT_NEAR(correlation.interval.low, other.interval.low, 1e-3);
  EXPECT_NEAR(correlation.interval.high, other.interval.high, 1e-3);
  const auto slope = found(shape, rows, Relation::slope, 1);
  const auto down = found(shape, sums_of(shape, mirrored, 300), Relation::slope, 1);
  EXPECT_NEAR(slope.interval.low, -down.interval.high, 2e-3 * slope.accuracy);
  EXPECT_NEAR(slope.interval.high, -down.interval.low, 2e-3 * slope.accuracy);
  EXPECT_NEAR(slope.value, -down.value, 1e-9);
}

TEST(Relation, AllowsForPartsOfUnits) {
  PairShape parts = shape;
  parts.parts = 3;
  const Sums sums = sums_of(shape, table, 1000);
  for (const Relation relation : all_relations) {
    const auto whole = found(shape, sums, relation, 1), cut = found(parts, sums, relation, 1);
    EXPECT_GE(cut.interval.high - cut.interval.low, whole.interval.high - whole.interval.low);
  }
}

// design: 46.8 / (n epsilon) of range over range at means a quarter of the range from the middle.
TEST(Relation, TellsItsAccuracyBeforeThereAreData) {
  const PairLaw law{false, static_cast<double>(shape.weight())};
  const double slope = relation_accuracy(law, shape, *Alpha::of(0.05), Relation::slope, 1000);
  EXPECT_NEAR(slope * 1000 * 20 / 4, 46.8, 1.5);
  EXPECT_EQ(relation_accuracy(law, shape, *Alpha::of(0.05), Relation::count, 1000),
            relation_accuracy(law, shape, *Alpha::of(0.05), Relation::count, 10));
}

TEST(Relation, RefusesAnotherNumberOfSums) {
  const auto inference = RelationInference::of({false, 1}, shape, *Alpha::of(0.05), Relation::slope);
  const std::vector<std::int64_t> eight(8);
  EXPECT_EQ(inference->from(eight).error().sentence(), "a relation needs nine released sums, but there are 8");
}

TEST(Relation, KeepsTheWeightOfARowWithin62Bits) {
  EXPECT_EQ(pair_weight(3, 5, 2), 450);
  EXPECT_EQ(pair_weight(std::int64_t{1} << 53, std::int64_t{1} << 53, std::int64_t{1} << 53), std::int64_t{1} << 62);
}

}  // namespace
}  // namespace vernier::interval
