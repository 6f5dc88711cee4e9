#include <gtest/gtest.h>

#include "cli/coverage/coverage.hpp"
#include "vernier/coverage/population.hpp"

namespace vernier::cli {
namespace {

using coverage::Found;
using coverage::Shown;

coverage::Point point_at(double epsilon) {
  return {*privacy::Epsilon::of(epsilon), 500, *Alpha::of(0.05),
          *coverage::ValueGrid::of(*Real::of(0), *Real::of(1), *Real::of(0.5))};
}

CoverageRequest request_for(interval::Covers covers) {
  return {.population = coverage::population_named("uniform").value().population,
          .origin = "the distribution uniform",
          .statistic = "mean",
          .question = {.covers = covers},
          .points = {point_at(0.1), point_at(1)},
          .swept = {"epsilon"},
          .simulations = 10,
          .plot = "a.svg",
          .json = false};
}

coverage::Report report() {
  const std::vector<Shown> shown = {{{0.2, 0.6}, 0.5, true}, {{0.6, 0.9}, 0.5, false}, {{0.4, 0.7}, 0.5, true}};
  const Found good{point_at(0.1), "geometric", 0.96, {0.94, 0.98}, 0.96, 0.96, 0.4, false, shown};
  const Found bad{point_at(1), "geometric", 0.8, {0.7, 0.85}, 0.95, 0.8, 0.4, true, shown};
  return {{good, bad}, 10};
}

template <class Kind>
std::vector<Kind> all_of(const plot::Chart& chart) {
  std::vector<Kind> found;
  for (const plot::Series& one : chart.series) {
    if (const auto* kind = std::get_if<Kind>(&one)) found.push_back(*kind);
  }
  return found;
}

TEST(CoveragePlot, HasTheClaimAndEveryPointWithItsBar) {
  const plot::Chart chart = coverage_chart(request_for(interval::Covers::population), report());
  const auto lines = all_of<plot::Line>(chart);
  ASSERT_EQ(lines.size(), 3U);  // the claim and two bars
  EXPECT_EQ(lines[0].name, "claim");
  EXPECT_EQ(lines[0].points.front().y, 0.95);
  EXPECT_EQ(lines[1].points.front().y, 0.94);
  EXPECT_EQ(lines[1].points.back().y, 0.98);
  const auto dots = all_of<plot::Dots>(chart);
  ASSERT_EQ(dots.size(), 2U);
  EXPECT_EQ(dots[0].name, "coverage");
  EXPECT_EQ(dots[1].name, "refuted");
  EXPECT_NE(dots[0].colour, dots[1].colour);
  EXPECT_LT(chart.y.low, 0.7);
  EXPECT_GT(chart.y.high, 1);
}

TEST(CoveragePlot, ShowsIntervalsThatMissInAnotherColour) {
  const plot::Chart chart = intervals_chart(request_for(interval::Covers::population), report());
  const auto lines = all_of<plot::Line>(chart);
  ASSERT_EQ(lines.size(), 4U);  // two that hold, one that misses, the value
  EXPECT_EQ(lines[0].points.front().x, 0.2);
  EXPECT_EQ(lines[2].name, "misses it");
  EXPECT_EQ(lines[2].points.front().x, 0.6);
  EXPECT_EQ(lines[2].points.front().y, 2);
  EXPECT_NE(lines[2].colour, lines[0].colour);
  EXPECT_EQ(lines[3].points.front().x, 0.5);
}

// Every sample has its own value, so that only distances can be drawn over each other.
TEST(CoveragePlot, ShowsDistancesFromTheSamplesValue) {
  const plot::Chart chart = intervals_chart(request_for(interval::Covers::bounded_value), report());
  const auto lines = all_of<plot::Line>(chart);
  EXPECT_DOUBLE_EQ(lines[0].points.front().x, -0.3);
  EXPECT_EQ(lines[3].points.front().x, 0);
}

TEST(CoveragePlot, NamesTheSecondFileAfterTheFirst) {
  EXPECT_EQ(intervals_file("dir.x/cover.svg"), "dir.x/cover-intervals.svg");
}

}  // namespace
}  // namespace vernier::cli
