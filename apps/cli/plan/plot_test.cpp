#include <gtest/gtest.h>

#include "cli/plan/plan.hpp"
#include "support/noisy_studies.hpp"

namespace vernier::cli {
namespace {

PlanAnswer answer_of(std::vector<plan::BoundStatistic> statistics) {
  const plan::BoundStudy bound = test::bound_study(std::move(statistics), {.epsilon = "1"});
  const study::Study asked{"a study", {"", "", test::decimal("0.05"), std::nullopt, {}}, bound};
  return {asked.plan().value(), {}, {}};
}

PlanAnswer example() {
  return answer_of({test::bound_statistic("people", {{.name = "n", .target = "30"}, {.name = "debt", .shift = 50}})});
}

// Accuracies of all measurements at two epsilons.
std::vector<WhatIf> points_of(const PlanAnswer& answer) {
  std::vector<double> one;
  for (const plan::PlannedStatistic& statistic : answer.plan.content().statistics) {
    for (const plan::PlannedNoise& noise : statistic.noise) one.push_back(noise.accuracy);
  }
  std::vector<double> zero(one.size(), 0.0);
  return {{0.5, one}, {2, zero}};
}

TEST(PlanPlot, HasACurveForEveryColumnItsPlaceInTheStudyAndItsTarget) {
  const PlanAnswer answer = example();
  const plot::Chart chart = plan_chart(answer, points_of(answer));
  ASSERT_EQ(chart.series.size(), 5U);  // two curves, two dots, one target
  const auto& curve = std::get<plot::Line>(chart.series[0]);
  EXPECT_EQ(curve.name, "people: n");
  EXPECT_EQ(curve.points[0].y, answer.plan.content().statistics[0].noise[0].accuracy);
  EXPECT_GT(curve.points[1].y, 0);  // an accuracy of 0 has no place on the axis, and is drawn below the frame
  EXPECT_LT(curve.points[1].y, chart.y.low);
  const auto& dot = std::get<plot::Dots>(chart.series[2]);
  EXPECT_EQ(dot.points[0].x, answer.plan.content().epsilon);
  const auto& target = std::get<plot::Line>(chart.series[4]);
  EXPECT_EQ(target.points[0].y, 30);
  EXPECT_EQ(target.stroke, plot::Stroke::dotted);
}

TEST(PlanPlot, IsLogarithmicAndHasRoomForTheTarget) {
  const PlanAnswer answer = example();
  const plot::Chart chart = plan_chart(answer, points_of(answer));
  EXPECT_TRUE(chart.x.logarithmic && chart.y.logarithmic);
  EXPECT_EQ(chart.x.low, 0.5);
  EXPECT_EQ(chart.x.high, 2);
  const plot::Chart better = plan_chart(answer, {{0.5, {2, 2}}, {2, {1, 1}}});
  EXPECT_GT(better.y.high, 30);
  EXPECT_GT(chart.y.high, answer.plan.content().statistics[0].noise[1].accuracy);
}

TEST(PlanPlot, DrawsTwelveCurvesAtMostAndSaysSo) {
  std::vector<test::NoisyColumn> columns;
  for (int i = 0; i < 20; ++i) columns.push_back({.name = std::string("c").append(std::to_string(i))});
  const PlanAnswer answer = answer_of({test::bound_statistic("people", columns)});
  const plot::Chart chart = plan_chart(answer, points_of(answer));
  EXPECT_EQ(chart.series.size(), 24U);
  EXPECT_NE(chart.subtitle.find("the first 12 of 20 columns"), std::string::npos);
  EXPECT_EQ(std::get<plot::Line>(chart.series[11]).stroke, plot::Stroke::dashed);
}

}  // namespace
}  // namespace vernier::cli
