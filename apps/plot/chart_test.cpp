#include "plot/chart.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace vernier::plot {
namespace {

Chart example() {
  Chart chart;
  chart.title = "law & draws";
  chart.subtitle = "10 draws";
  chart.x = {"value", -1, 1, 0};
  chart.y = {"density", 0, 4e-7, 0};
  chart.series = {Bars{"draws", Colour::second, {{-1, 0, 1e-7}, {0, 1, 4e-7}}},
                  Line{"law", Colour::first, {{-1, 0}, {1, 4e-7}}}, Stems{"mass", Colour::third, {{0, 2e-7}}}};
  return chart;
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Chart, MapsTheCornersOfTheDataToTheCornersOfTheFrame) {
  const std::string svg = render(example());
  EXPECT_TRUE(contains(svg, R"(<path class="stroke1" d="M92.00 470.00L932.00 84.00"/>)"));
  EXPECT_TRUE(contains(svg, "M512.00 470.00V84.00H932.00V470.00Z"));
  EXPECT_TRUE(contains(svg, R"(<circle class="fill3" cx="512.00" cy="277.00" r="4.00"/>)"));
}

TEST(Chart, NamesItsAxesWithTheirPowersOfTenAndItsSeries) {
  const std::string svg = render(example());
  EXPECT_TRUE(contains(svg, ">density (×10⁻⁷)</text>"));
  EXPECT_TRUE(contains(svg, ">value</text>"));
  for (const char* name : {">draws</text>", ">law</text>", ">mass</text>"}) EXPECT_TRUE(contains(svg, name)) << name;
}

TEST(Chart, IsWideAndDrawsLaterSeriesOverEarlierOnes) {
  const std::string svg = render(example());
  EXPECT_TRUE(contains(svg, R"(viewBox="0 0 960 540")"));
  EXPECT_LT(svg.find(R"(<path class="soft2")"), svg.find(R"(<path class="stroke1")"));
}

TEST(Chart, PutsEqualFactorsEquallyFarApartOnALogarithmicAxis) {
  Chart chart = example();
  chart.x = {"epsilon", 0.1, 10, 0, true};
  chart.y = {"accuracy", 1, 100, 0, true};
  chart.series = {Dots{"asked", Colour::second, {{1, 10}}}, Line{"law", Colour::first, {{0.1, 1}, {10, 100}}}};
  const std::string svg = render(chart);
  EXPECT_TRUE(contains(svg, R"(<circle class="fill2" cx="512.00" cy="277.00" r="6.00"/>)"));
  EXPECT_TRUE(contains(svg, R"(<path class="stroke1" d="M92.00 470.00L932.00 84.00"/>)"));
}

TEST(Chart, CanListItsSeriesInsideTheFrame) {
  Chart chart = example();
  chart.legend = Legend::inside;
  const std::string svg = render(chart);
  for (const char* name : {">draws</text>", ">law</text>", ">mass</text>"}) EXPECT_TRUE(contains(svg, name)) << name;
  EXPECT_GT(svg.find(">law</text>"), svg.find(R"(<path class="stroke1")"));
}

TEST(Chart, CanListManySeriesBelowTheFrameAndLeavesOutThoseWithoutAName) {
  Chart chart = example();
  chart.legend = Legend::below;
  for (int i = 0; i < 9; ++i) chart.series.push_back(Line{"a long name of a column", Colour::sixth, {{0, 0}, {1, 1}}});
  chart.series.push_back(Line{"", Colour::fifth, {{0, 0}, {1, 1}}, Stroke::dotted});
  const std::string svg = render(chart);
  EXPECT_TRUE(contains(svg, R"(viewBox="0 0 960 702")"));  // 540 + 18 + six lines of 24
  EXPECT_TRUE(contains(svg, R"(<path class="stroke5 dotted")"));
  EXPECT_FALSE(contains(svg, R"(<line class="stroke5 dotted")"));  // no key
  EXPECT_TRUE(contains(svg, R"(<line class="stroke6")"));
}

TEST(Chart, DrawsABandBetweenItsEnds) {
  Chart chart = example();
  chart.x = {"x", 0, 10};
  chart.y = {"y", 0, 10};
  chart.series = {Band{"interval", Colour::third, {{0, 2, 4}, {10, 3, 9}}}};
  const std::string svg = render(chart);
  const std::size_t begin = svg.find(R"(<path class="soft3" d="M)");
  ASSERT_NE(begin, std::string::npos);
  const std::string data = svg.substr(begin, svg.find("/>", begin) - begin);
  EXPECT_EQ(std::ranges::count(data, 'L'), 3);  // four corners
  EXPECT_TRUE(data.find('Z') != std::string::npos);
  EXPECT_TRUE(contains(svg, R"(<rect class="soft3")"));  // its mark
}

TEST(Chart, LoadsNothingAndRunsNothing) {
  const std::string svg = render(example());
  for (const char* forbidden : {"<script", "href", "url(", "@import", "@font-face"}) {
    EXPECT_FALSE(contains(svg, forbidden)) << forbidden;
  }
  EXPECT_TRUE(contains(svg, "law &amp; draws"));
  EXPECT_TRUE(contains(svg, "prefers-color-scheme: dark"));
}

}  // namespace
}  // namespace vernier::plot
