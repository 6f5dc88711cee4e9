#include <algorithm>
#include <stdexcept>

#include <gtest/gtest.h>

#include "cli/compose/compose.hpp"
#include "cli/compose/report.hpp"

namespace vernier::cli {
namespace {

plot::Chart chart_of(const std::vector<std::string>& words) {
  const ComposeRequest request = compose_request(parse(compose_usage(), words).value()).value();
  return compose_chart(request, answer_to(request).value()).value();
}

const std::vector<plot::Point>& line(const plot::Chart& chart, const std::string& name) {
  for (const plot::Series& series : chart.series) {
    const auto* const found = std::get_if<plot::Line>(&series);
    if (found != nullptr && found->name == name) return found->points;
  }
  throw std::runtime_error("the chart has no line " + name);
}

TEST(ComposePlot, ReachesHalfOfEpsilonToEitherSide) {
  const plot::Chart chart = chart_of({"--event", "gaussian,scale=20,times=100", "--epsilon", "2"});
  EXPECT_DOUBLE_EQ(chart.x.low, 1);
  EXPECT_DOUBLE_EQ(chart.x.high, 3);
  EXPECT_TRUE(chart.y.logarithmic);
  const auto& answer = std::get<plot::Dots>(chart.series.back()).points.front();
  EXPECT_EQ(answer.x, 2);
  EXPECT_GT(answer.y, chart.y.low);
  EXPECT_LT(answer.y, chart.y.high);
}

TEST(ComposePlot, HasTheLowerEndBelowTheUpperOneAndBothFall) {
  const plot::Chart chart = chart_of({"--event", "laplace,scale=20,times=100", "--delta", "1e-6"});
  const auto &upper = line(chart, "upper"), &lower = line(chart, "lower"), &zcdp = line(chart, "zCDP");
  ASSERT_EQ(upper.size(), lower.size());
  ASSERT_EQ(upper.size(), zcdp.size());
  for (std::size_t i = 0; i < upper.size(); ++i) {
    EXPECT_LE(lower[i].y, upper[i].y);
    EXPECT_LE(upper[i].y, zcdp[i].y * 1.001);
  }
  const auto falls = [](const plot::Point& a, const plot::Point& b) { return a.y > b.y; };
  EXPECT_TRUE(std::is_sorted(upper.begin(), upper.end(), falls));
  EXPECT_TRUE(std::is_sorted(lower.begin(), lower.end(), falls));
}

TEST(ComposePlot, LeavesOutWhatHasNoPlaceOnALogarithmicAxis) {
  const plot::Chart chart = chart_of({"--event", "laplace,scale=1", "--delta", "0"});
  for (const plot::Point& point : line(chart, "upper")) EXPECT_GT(point.y, 0);
  EXPECT_LE(line(chart, "upper").back().x, 1);  // beyond its epsilon delta is 0
  EXPECT_FALSE(std::holds_alternative<plot::Dots>(chart.series.back()));
}

}  // namespace
}  // namespace vernier::cli
