#include <gtest/gtest.h>

#include "plot/chart.hpp"

namespace vernier::plot {
namespace {

TEST(Histogram, PutsAValueOnAnEdgeIntoTheBinOnItsRight) {
  const std::vector<double> values = {0, 0.5, 1, 1.999, 3, -1e-9, 1e300};
  const Histogram counted = histogram({0, 1, 3}, std::span<const double>(values));
  EXPECT_EQ(counted.counts, (std::vector<std::size_t>{2, 2, 0}));
  EXPECT_EQ(counted.outside, 3U);
  EXPECT_EQ(counted.total, 7U);
}

TEST(Histogram, OfWholeNumbersHasEdgesBetweenThem) {
  const std::vector<std::int64_t> values = {-2, -1, 0, 0, 1, 2};
  const Histogram counted = histogram({-1.5, 1, 3}, std::span<const std::int64_t>(values));
  EXPECT_EQ(counted.counts, (std::vector<std::size_t>{1, 2, 1}));
  EXPECT_EQ(counted.outside, 2U);
}

TEST(Histogram, BarsAreSharesOfAllValuesPerUnitOfWidth) {
  const std::vector<double> values = {0, 1, 2, 9};
  const std::vector<Bar> bars = density_bars(histogram({0, 2, 2}, std::span<const double>(values)));
  ASSERT_EQ(bars.size(), 2U);
  EXPECT_EQ(bars[0].height, 0.25);
  EXPECT_EQ(bars[1].height, 0.125);
  EXPECT_EQ(bars[1].left, 2);
  EXPECT_EQ(bars[1].right, 4);
}

}  // namespace
}  // namespace vernier::plot
