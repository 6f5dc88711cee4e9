#include "vernier/interval/noise/mean_nodes.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <gtest/gtest.h>

namespace vernier::interval {
namespace {

constexpr Basis all_bases[] = {Basis::two, Basis::bernstein, Basis::lagrange};

TEST(MeanNodes, HoldCountAndSumOfEveryRow) {
  for (const Basis basis : all_bases) {
    for (const std::int64_t steps : {1, 2, 15, 1000}) {
      const MeanNodes nodes = *MeanNodes::of(basis, steps);
      for (std::int64_t k = 0; k <= steps; ++k) {
        const auto row = nodes.row(k);
        std::int64_t count = 0, twice_sum = 0;
        for (std::size_t i = 0; i < nodes.count(); ++i) {
          count += row[i];
          twice_sum += nodes.twice_place(i) * row[i];
        }
        ASSERT_EQ(count, nodes.weight());
        ASSERT_EQ(twice_sum * steps, 2 * k * nodes.weight());
      }
    }
  }
}

// The sums of squares that come free: of y = 2k/K - 1, B0 + B2 - B1 (bernstein) and B0 + B2 (lagrange).
TEST(MeanNodes, HoldTheSquaresWhereThereAreThree) {
  const std::int64_t steps = 40;
  for (std::int64_t k = 0; k <= steps; ++k) {
    const std::int64_t square = (2 * k - steps) * (2 * k - steps);
    const auto b = MeanNodes::of(Basis::bernstein, steps)->row(k);
    EXPECT_EQ(b[0] + b[2] - b[1], square);
    const auto l = MeanNodes::of(Basis::lagrange, steps)->row(k);
    EXPECT_EQ(l[0] + l[2], square);
  }
}

TEST(MeanNodes, HaveTheSensitivityOfTheirWorstRow) {
  for (const Basis basis : all_bases) {
    for (const std::int64_t steps : {1, 2, 3, 16, 999}) {
      const MeanNodes nodes = *MeanNodes::of(basis, steps);
      double worst_l1 = 0, worst_l2 = 0;
      for (std::int64_t k = 0; k <= steps; ++k) {
        const auto row = nodes.row(k);
        double l1 = 0, squares = 0;
        for (const std::int64_t x : row) {
          l1 += std::abs(static_cast<double>(x));
          squares += static_cast<double>(x) * static_cast<double>(x);
        }
        worst_l1 = std::max(worst_l1, l1);
        worst_l2 = std::max(worst_l2, std::sqrt(squares));
      }
      EXPECT_EQ(worst_l2, static_cast<double>(nodes.l2_sensitivity()));
      EXPECT_LE(worst_l1, static_cast<double>(nodes.l1_sensitivity()));
      if (basis != Basis::lagrange) {
        EXPECT_EQ(worst_l1, static_cast<double>(nodes.l1_sensitivity()));
      }
    }
  }
}

// Count and sum are exact at every fineness, no node is negative, and a square is off by half of one part at most.
TEST(MeanNodes, RoundNothingButSquares) {
  for (const std::int64_t steps : {1, 2, 7, 40, 1000}) {
    for (const std::int64_t fineness : {std::int64_t{1}, std::int64_t{3}, std::int64_t{64}, steps, 3 * steps}) {
      const MeanNodes nodes = *MeanNodes::moments(steps, fineness);
      ASSERT_EQ(nodes.weight(), steps * fineness);
      double farthest = 0;
      for (std::int64_t k = 0; k <= steps; ++k) {
        const auto row = nodes.row(k);
        ASSERT_EQ(row[0] + row[1] + row[2], nodes.weight());
        ASSERT_EQ(row[1] + 2 * row[2], 2 * k * fineness);
        ASSERT_GE(std::min({row[0], row[1], row[2]}), 0);
        farthest = std::max(farthest, std::abs(static_cast<double>(row[2] * steps - k * k * fineness)));
      }
      EXPECT_LE(farthest, static_cast<double>(steps) / 2);
      EXPECT_LE(farthest, static_cast<double>(steps * nodes.weight()) * nodes.square_rounding());
    }
  }
  EXPECT_EQ(MeanNodes::of(Basis::bernstein, 40)->square_rounding(), 0);
  EXPECT_EQ(MeanNodes::moments(7, 3)->square_rounding(), 0.5 / 21);
}

// All units of up to five rows on seven steps, of which one to four count: what bounding makes of them is a place and a
// square that no rows have, but for the rounding that is told.
TEST(MeanNodes, TellHowFarPartsOfUnitsAreFromPlaces) {
  for (const std::int64_t fineness : {1, 2, 3, 7, 14}) {
    const MeanNodes nodes = *MeanNodes::moments(7, fineness, true);
    const auto weight = static_cast<double>(nodes.weight());
    double worst = 0;
    for (int code = 0; code < 8 * 8 * 8 * 8 * 8; ++code) {
      for (std::int64_t rows = 1; rows < 5; ++rows) {
        std::int64_t above = 0, below = 0;
        double squares = 0, places = 0;
        for (int i = 0, left = code; i < 5; ++i, left /= 8) {
          const auto row = nodes.row(left % 8);
          above += row[0], below += row[2];
          places += left % 8 / 7.0 / 5, squares += (left % 8 / 7.0) * (left % 8 / 7.0) / 5;
        }
        const double all = static_cast<double>(rows) * weight;
        const auto b = static_cast<double>(above * rows / 5), e = static_cast<double>(below * rows / 5);
        ASSERT_GE(all - b - e, 0);
        const double mean = (all - b + e) / (2 * all), square = e / all;
        ASSERT_LE(std::abs(mean - places), 0.5 / all + 1e-12);
        worst = std::max({worst, mean * mean - square, std::abs((square - mean * mean) - (squares - places * places))});
      }
    }
    EXPECT_LE(worst, nodes.square_rounding());
    EXPECT_GE(worst, nodes.square_rounding() / 3);
  }
}

TEST(MeanNodes, AreMirroredAtEveryFineness) {
  for (const std::int64_t fineness : {1, 3, 5, 7, 21}) {
    const MeanNodes nodes = *MeanNodes::moments(7, fineness);
    for (std::int64_t k = 0; k <= 7; ++k) EXPECT_EQ(nodes.row(k)[0], nodes.row(7 - k)[2]);
  }
}

TEST(MeanNodes, SayHowManyRowsFit) {
  EXPECT_EQ(MeanNodes::of(Basis::two, 1)->rows_that_fit(), std::int64_t{1} << 62);
  EXPECT_EQ(MeanNodes::of(Basis::bernstein, 1 << 20)->rows_that_fit(), std::int64_t{1} << 22);
}

TEST(MeanNodes, RefuseBoundsThatTheyCannotHold) {
  EXPECT_EQ(MeanNodes::of(Basis::two, 0).error().sentence(),
            "the bounds must be 1 to 4611686018427387904 steps of the grid apart, but they are 0; move them apart");
  EXPECT_EQ(MeanNodes::of(Basis::bernstein, (1 << 30) + 1).error().sentence(),
            "the bounds must be 1 to 1073741824 steps of the grid apart, but they are 1073741825; make the granularity "
            "coarser");
  EXPECT_EQ(MeanNodes::moments(1 << 30, std::int64_t{1} << 33).error().sentence(),
            "steps and fineness of node sums must be 1 or more, with a product of at most 2^62, but they are "
            "1073741824 and 8589934592");
  EXPECT_FALSE(MeanNodes::moments(0, 1));
  EXPECT_FALSE(MeanNodes::moments(1, 0));
  EXPECT_TRUE(MeanNodes::moments(1 << 30, std::int64_t{1} << 32));
}

}  // namespace
}  // namespace vernier::interval
