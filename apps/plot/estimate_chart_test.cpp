#include "plot/estimate_chart.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace vernier::plot {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

EstimateChart example() {
  EstimateChart chart;
  chart.title = "people <by> region";
  chart.subtitle = "2 rows";
  chart.key_title = "region";
  chart.value_title = "people";
  chart.keys = {"north", "south & west"};
  chart.places = {1, 3};
  chart.panels = {{"", {Estimate{60, 50, 70, "60 ± 10"}, Estimate{96, 92, 100, "96 ± 4"}}}};
  return chart;
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(EstimateChart, ShowsZeroWhereNumbersAreNearItAndElseOnlyTheirIntervals) {
  EstimateChart chart = example();
  EXPECT_TRUE(value_range(chart).has_zero);
  EXPECT_DOUBLE_EQ(value_range(chart).low, 0);
  EXPECT_DOUBLE_EQ(value_range(chart).high, 104);
  chart.panels[0].estimates[0] = Estimate{94, 90, 98, ""};
  EXPECT_FALSE(value_range(chart).has_zero);
  EXPECT_DOUBLE_EQ(value_range(chart).low, 90 - 0.4);
}

TEST(EstimateChart, TakesNumbersBelowZeroSingleOnesAndNone) {
  EstimateChart chart = example();
  chart.panels[0].estimates = {Estimate{-60, -70, -50, ""}, Estimate{-96, -100, -92, ""}};
  EXPECT_DOUBLE_EQ(value_range(chart).high, 0);
  EXPECT_DOUBLE_EQ(value_range(chart).low, -104);
  chart.panels[0].estimates = {Estimate{5, 5, 5, ""}, std::nullopt};
  EXPECT_LT(value_range(chart).low, 5);
  EXPECT_GT(value_range(chart).high, 5);
  chart.panels[0].estimates = {std::nullopt, std::nullopt};
  EXPECT_LT(value_range(chart).low, value_range(chart).high);
}

TEST(EstimateChart, LeavesWhatSaysNothingOutOfItsRangeAndDrawsItAcross) {
  EstimateChart chart = example();
  chart.panels[0].estimates[0] = Estimate{500, -1e9, 1e9, "no information", false};
  EXPECT_LT(value_range(chart).high, 110);
  const std::string svg = render(chart);
  EXPECT_EQ(count(svg, R"(<line class="unknown")"), 1U);
  EXPECT_TRUE(contains(svg, ">no information</text>"));
}

TEST(EstimateChart, DrawsAnInfiniteEndToTheEdge) {
  EstimateChart chart = example();
  chart.panels[0].estimates[1] = Estimate{96, 92, infinity, "at least 92"};
  EXPECT_DOUBLE_EQ(value_range(chart).high, 96 + 0.04 * (96 - 50));
  for (const EstimateForm form : {EstimateForm::rows, EstimateForm::curve, EstimateForm::strip}) {
    chart.form = form;
    EXPECT_FALSE(contains(render(chart), "inf"));
    EXPECT_FALSE(contains(render(chart), "nan"));
  }
}

TEST(EstimateChart, HasBarsFromZeroWithWhiskersOrDotsWhereZeroIsOutOfSight) {
  EstimateChart chart = example();
  const std::string bars = render(chart);
  EXPECT_EQ(count(bars, R"(<rect class="bar")"), 2U);
  EXPECT_EQ(count(bars, R"(<line class="whisker")"), 6U);  // each with two ends
  chart.panels[0].estimates[0] = Estimate{94, 90, 98, ""};
  const std::string dots = render(chart);
  EXPECT_EQ(count(dots, R"(<rect class="bar")"), 0U);
  EXPECT_EQ(count(dots, R"(<circle class="fill2")"), 2U);
}

// The frame of the narrow form is 344 - 12 wide; with a range of 0 to 104, the end at 52 is its middle.
TEST(EstimateChart, PutsValuesWhereTheyBelong) {
  EstimateChart chart = example();
  chart.panels[0].estimates[0] = Estimate{52, 26, 78, ""};
  const std::string svg = render_inside(chart, Width::narrow, "c");
  EXPECT_TRUE(contains(svg, R"(<rect class="bar" x="4.00" y="24.00" width="162.00" height="12.00"/>)")) << svg;
  EXPECT_TRUE(contains(svg, R"(<line class="whisker" x1="85.00" y1="30.00" x2="247.00" y2="30.00"/>)")) << svg;
}

TEST(EstimateChart, MarksWhatWasMadeOfANumber) {
  EstimateChart chart = example();
  EXPECT_EQ(count(render(chart), "class=\"denoised\""), 0U);
  chart.panels[0].estimates[0]->denoised = 104;
  EXPECT_DOUBLE_EQ(value_range(chart).high, 1.04 * 104);
  for (const EstimateForm form : {EstimateForm::rows, EstimateForm::curve}) {
    chart.form = form;
    EXPECT_EQ(count(render(chart), "<circle class=\"denoised\""), 1U);
  }
}

// As a line where there are too many to be told apart.
TEST(EstimateChart, MarksWhatWasMadeOfManyNumbersByALine) {
  EstimateChart chart = example();
  chart.form = EstimateForm::curve;
  for (int i = 0; i < 100; ++i) {
    chart.keys.emplace_back();
    chart.places.push_back(4 + i);
    chart.panels[0].estimates.emplace_back(Estimate{5, 4, 6, "", true, 5.5});
  }
  const std::string svg = render(chart);
  EXPECT_EQ(count(svg, "<circle class=\"denoised\""), 0U);
  EXPECT_EQ(count(svg, "<path class=\"denoised\""), 1U);
}

TEST(EstimateChart, JoinsACurveAndBreaksItWhereAKeyIsMissing) {
  EstimateChart chart = example();
  chart.form = EstimateForm::curve;
  chart.keys = {"1", "2", "3", "4", "5"};
  chart.places = {1, 2, 3, 4, 5};
  const Estimate one{60, 50, 70, ""};
  chart.panels[0].estimates = {one, one, std::nullopt, one, one};
  const std::string svg = render(chart);
  const std::size_t begin = svg.find(R"(<path class="stroke2" d=")");
  const std::string path = svg.substr(begin, svg.find("/>", begin) - begin);
  EXPECT_EQ(count(path, "M"), 2U) << path;
  EXPECT_EQ(count(path, "L"), 2U) << path;
}

TEST(EstimateChart, DrawsSmallMultiplesOnOneScaleWithTheirTitles) {
  EstimateChart chart = example();
  chart.panels = {{"female", chart.panels[0].estimates}, {"male <b>", {std::nullopt, Estimate{10, 8, 12, ""}}}};
  for (const EstimateForm form : {EstimateForm::rows, EstimateForm::curve}) {
    chart.form = form;
    const std::string svg = render(chart);
    EXPECT_TRUE(contains(svg, ">female</text>"));
    EXPECT_TRUE(contains(svg, ">male &lt;b&gt;</text>"));
    EXPECT_EQ(count(svg, ">100</text>"), form == EstimateForm::rows ? 2U : 1U);
  }
}

TEST(EstimateChart, IsTallEnoughForAllItsRowsAndNeedsNoTextForThousands) {
  EstimateChart chart = example();
  chart.keys.assign(1000, "");
  chart.form = EstimateForm::strip;
  chart.places.clear();
  chart.panels[0].estimates.clear();
  for (int i = 0; i < 1000; ++i) {
    chart.places.push_back(i);
    chart.panels[0].estimates.emplace_back(Estimate{10.0 + i, 5.0 + i, 15.0 + i, "not drawn"});
  }
  const std::string svg = render(chart);
  EXPECT_EQ(count(svg, R"(<circle class="fill2")"), 1000U);
  EXPECT_FALSE(contains(svg, "not drawn"));
  EXPECT_LT(svg.size(), 120'000U);
}

TEST(EstimateChart, KeepsEveryNameText) {
  EstimateChart chart = example();
  chart.keys[0] = "</text><script>alert(1)</script>";
  chart.value_title = "\"><img src=x onerror=alert(1)>";
  for (const std::string& svg : {render(chart), render_inside(chart, Width::wide, "chart-1")}) {
    EXPECT_FALSE(contains(svg, "<script"));
    EXPECT_FALSE(contains(svg, "<img"));
    EXPECT_TRUE(contains(svg, "people &lt;by&gt; region"));
  }
}

TEST(EstimateChart, HasATitleOnlyInAFileOfItsOwn) {
  EXPECT_TRUE(contains(render(example()), R"(<text class="title")"));
  const std::string inside = render_inside(example(), Width::wide, "chart-7");
  EXPECT_FALSE(contains(inside, R"(<text class="title")"));
  EXPECT_FALSE(contains(inside, "<style"));
  EXPECT_TRUE(contains(inside, R"(<title id="chart-7-title">)"));
}

}  // namespace
}  // namespace vernier::plot
