#include <algorithm>
#include <stdexcept>

#include <gtest/gtest.h>

#include "cli/calibrate/report.hpp"
#include "cli/commands.hpp"

namespace vernier::cli {
namespace {

plot::Chart chart_of(const std::vector<std::string>& words) {
  const CalibrateRequest request = calibrate_request(parse(calibrate_usage(), words).value()).value();
  return calibrate_chart(request, answers_to(request).value()).value();
}

const plot::Line& line(const plot::Chart& chart, const std::string& name) {
  for (const plot::Series& series : chart.series) {
    const auto* const found = std::get_if<plot::Line>(&series);
    if (found != nullptr && found->name == name) return *found;
  }
  throw std::runtime_error("the chart has no line " + name);
}

TEST(CalibratePlot, FallsAsEpsilonGrows) {
  const plot::Chart chart = chart_of({"gaussian", "--sweep", "epsilon=0.1:10:3", "--delta", "1e-6"});
  EXPECT_EQ(chart.x.low, 0.1);
  EXPECT_EQ(chart.x.high, 10);
  EXPECT_EQ(chart.series.size(), 4U);
  for (const char* name : {"laplace", "geometric", "gaussian", "discrete-gaussian"}) {
    const auto& points = line(chart, name).points;
    EXPECT_TRUE(std::is_sorted(points.rbegin(), points.rend(), [](auto a, auto b) { return a.y < b.y; })) << name;
  }
  EXPECT_NEAR(line(chart, "laplace").points.front().y, 29.957, 0.001);
}

TEST(CalibratePlot, ReachesTenfoldToEitherSideOfOneRelease) {
  const plot::Chart chart = chart_of({"laplace", "--epsilon", "2"});
  EXPECT_DOUBLE_EQ(chart.x.low, 0.2);
  EXPECT_DOUBLE_EQ(chart.x.high, 20);
  const auto& asked = std::get<plot::Dots>(chart.series.back());
  EXPECT_EQ(asked.points.front().x, 2);
  EXPECT_NEAR(asked.points.front().y, 1.498, 0.001);
}

TEST(CalibratePlot, PutsAnAccuracyOfZeroBelowTheFrame) {
  const plot::Chart chart = chart_of({"geometric", "--epsilon", "5"});
  EXPECT_GT(chart.y.low, 0);
  EXPECT_GT(line(chart, "geometric").points.back().y, 0);
  EXPECT_LT(line(chart, "geometric").points.back().y, chart.y.low);
}

TEST(CalibratePlot, LeavesOutWhereACalibrationHasNoProof) {
  const plot::Chart chart = chart_of({"gaussian", "--epsilon", "0.5", "--delta", "1e-6", "--calibration", "classical"});
  EXPECT_LT(line(chart, "gaussian").points.back().x, 1);
  EXPECT_DOUBLE_EQ(line(chart, "laplace").points.back().x, 5);
}

}  // namespace
}  // namespace vernier::cli
