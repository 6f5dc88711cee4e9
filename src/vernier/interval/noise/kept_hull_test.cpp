#include <vector>

#include <gtest/gtest.h>

#include "vernier/interval/noise/kept.hpp"

namespace vernier::interval {
namespace {

constexpr Fraction fine = 1 << 10;

Fraction fraction(double x) { return static_cast<Fraction>(x * 0x1p60); }

// Rejects a cell when it touches none of the intervals.
struct Keeps {
  std::vector<Cell> intervals;
  bool operator()(Cell cell) const {
    for (const Cell& kept : intervals) {
      if (cell.first <= kept.last && kept.first <= cell.last) return false;
    }
    return true;
  }
};

TEST(KeptHull, IsTheIntervalThatIsKeptToTheResolution) {
  const Cell kept{fraction(0.3), fraction(0.30001)};
  const auto hull = kept_hull(Keeps{{kept}}, fine);
  ASSERT_TRUE(hull);
  EXPECT_LE(hull->low, kept.first);
  EXPECT_GE(hull->low, kept.first - 2 * fine);
  EXPECT_GE(hull->high, kept.last);
  EXPECT_LE(hull->high, kept.last + 2 * fine);
}

TEST(KeptHull, ReachesOverAGap) {
  const auto hull = kept_hull(Keeps{{{0, fraction(0.1)}, {fraction(0.9), one}}}, fine);
  ASSERT_TRUE(hull);
  EXPECT_EQ(hull->low, 0);
  EXPECT_EQ(hull->high, one);
}

TEST(KeptHull, IsNoneWhenAllIsRejected) { EXPECT_FALSE(kept_hull(Keeps{}, fine)); }

TEST(KeptHull, KeepsSinglePointsAtTheEnds) {
  const auto low = kept_hull(Keeps{{{0, 0}}}, fine), high = kept_hull(Keeps{{{one, one}}}, fine);
  ASSERT_TRUE(low && high);
  EXPECT_EQ(low->low, 0);
  EXPECT_LE(low->high, fine);
  EXPECT_GE(high->low, one - fine);
  EXPECT_EQ(high->high, one);
}

// A test that can decide nothing but the shortest cells runs out of trials, and then too much is kept, never too
// little.
TEST(KeptHull, KeepsWhatItHasNoTimeToTry) {
  const Cell kept{fraction(0.6), fraction(0.7)};
  int asked = 0;
  const auto rejects = [&](Cell cell) {
    ++asked;
    return cell.last - cell.first <= fine && Keeps{{kept}}(cell);
  };
  const auto hull = kept_hull(rejects, fine);
  ASSERT_TRUE(hull);
  EXPECT_LE(hull->low, kept.first);
  EXPECT_GE(hull->high, kept.last);
  EXPECT_LE(asked, 2 * most_trials);
}

}  // namespace
}  // namespace vernier::interval
