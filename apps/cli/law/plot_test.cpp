#include <algorithm>

#include <gtest/gtest.h>

#include "cli/law/law.hpp"

namespace vernier::cli {
namespace {

using noise::AnyLaw;

AnyLaw law(std::string_view mechanism, double scale) { return noise::law_named(mechanism, scale).value(); }

plot::Chart chart_of(std::string_view mechanism, double scale, const Draws& draws) {
  return law_chart(law(mechanism, scale), draws).value();
}

template <class Kind>
const Kind& part(const plot::Chart& chart) {
  const auto found = std::find_if(chart.series.begin(), chart.series.end(),
                                  [](const plot::Series& series) { return std::holds_alternative<Kind>(series); });
  return std::get<Kind>(*found);
}

TEST(LawPlot, OfASmallIntegerLawHasAStemAtEveryWholeNumberAndABarAroundIt) {
  const plot::Chart chart = chart_of("geometric", 0.5, {std::vector<std::int64_t>{0, 0, 0, 1}, {}});
  const std::vector<plot::Point>& stems = part<plot::Stems>(chart).points;
  const std::vector<plot::Bar>& bars = part<plot::Bars>(chart).bars;
  ASSERT_EQ(stems.size(), 7U);
  ASSERT_EQ(bars.size(), 7U);
  EXPECT_EQ(stems[3].x, 0);
  EXPECT_NEAR(stems[3].y, 0.76159415595576485, 1e-15);  // tanh(1)
  EXPECT_EQ(bars[3].left, -0.5);
  EXPECT_EQ(bars[3].height, 0.75);
  EXPECT_EQ(bars[4].height, 0.25);
  EXPECT_EQ(chart.x.least_step, 1);
}

TEST(LawPlot, OfALargeIntegerLawIsACurveOverBinsOfEquallyManyWholeNumbers) {
  const plot::Chart chart = chart_of("discrete-gaussian", 1e6, {std::vector<std::int64_t>{-1, 0, 0, 7}, {}});
  const std::vector<plot::Bar>& bars = part<plot::Bars>(chart).bars;
  const std::size_t middle = bars.size() / 2;
  const double width = bars[middle].right - bars[middle].left;
  EXPECT_EQ(bars[middle].left, -0.5);
  EXPECT_EQ(bars[middle - 1].height * width, 0.25);
  EXPECT_EQ(bars[middle].height * width, 0.75);
  const std::vector<plot::Point>& curve = part<plot::Line>(chart).points;
  EXPECT_EQ(curve[curve.size() / 2].x, 0);
  EXPECT_NEAR(curve[curve.size() / 2].y * 1e6, 0.3989422804014327, 1e-12);  // 1 / sqrt(2 pi)
}

TEST(LawPlot, OfARealLawShowsItsPeakAndItsMiddle) {
  const plot::Chart chart = chart_of("laplace", 2, {std::vector<double>{-0.1, 0.1, 1e9}, 0x1p-20});
  const std::vector<plot::Point>& curve = part<plot::Line>(chart).points;
  EXPECT_EQ(curve[curve.size() / 2].y, 0.25);
  EXPECT_NEAR(chart.x.high, 13.815510557964274, 1e-9);  // 2 ln 1000: the quantile of 0.9995
  EXPECT_EQ(chart.x.low, -chart.x.high);
  EXPECT_EQ(chart.title, "Laplace noise of scale 2");
  EXPECT_EQ(chart.subtitle, "3 draws, 1 of them beyond the edges");
}

TEST(LawPlot, GivesRoomToTheTallestBar) {
  const plot::Chart chart = chart_of("gaussian", 1, {std::vector<double>{0.01}, 0x1p-20});
  EXPECT_GT(chart.y.high, part<plot::Bars>(chart).bars[32].height);
  EXPECT_EQ(chart.subtitle, "1 draw");
}

}  // namespace
}  // namespace vernier::cli
