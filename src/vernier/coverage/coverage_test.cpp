#include "vernier/coverage/coverage.hpp"

#include <atomic>
#include <cmath>

#include <gtest/gtest.h>

#include "vernier/coverage/population.hpp"

namespace vernier::coverage {
namespace {

std::vector<Point> points_at(std::initializer_list<double> epsilons, const NamedPopulation& named) {
  const ValueGrid grid =
      ValueGrid::of(*Real::of(named.lower), *Real::of(named.upper), *Real::of(named.granularity)).value();
  std::vector<Point> points;
  for (const double epsilon : epsilons) points.push_back({*privacy::Epsilon::of(epsilon), 200, *Alpha::of(0.05), grid});
  return points;
}

Question lecture() { return {.method = Method::lecture_classical, .delta = *privacy::Delta::of(1e-8)}; }

// At epsilon 10 the noise is so small that nothing but the sampling error is left, which the lecture leaves out.
TEST(CoverageThreads, RefutesTheLectureForThePopulationAndNotForTheSample) {
  const NamedPopulation named = population_named("uniform").value();
  const auto points = points_at({0.5, 10}, named);
  Question question = lecture();
  const Report sample = report_on(named.population, question, points, 1500, nobody_watches).value();
  EXPECT_FALSE(sample.refuted());
  question.covers = interval::Covers::population;
  const Report population = report_on(named.population, question, points, 1500, nobody_watches).value();
  EXPECT_TRUE(population.refuted());
  EXPECT_TRUE(population.points[1].refuted);
  EXPECT_LT(population.points[1].coverage, 0.8);
  EXPECT_GT(population.points[1].sample, 0.9);
  EXPECT_EQ(population.points[1].coverage, population.points[1].population);
  EXPECT_LE(population.points[1].chance.lower, population.points[1].coverage);
  EXPECT_GE(population.points[1].chance.upper, population.points[1].coverage);
  EXPECT_EQ(population.points[0].law, "gaussian");
}

TEST(CoverageThreads, TellsTheWidthOfTheInterval) {
  const NamedPopulation named = population_named("uniform").value();
  const Report report = report_on(named.population, lecture(), points_at({1}, named), 200, nobody_watches).value();
  EXPECT_NEAR(report.points[0].width, 2 * 1.959964 * std::sqrt(2 * std::log(1.25e8)) / 200, 1e-5);
  EXPECT_EQ(report.points[0].shown.size(), 100U);
}

TEST(CoverageThreads, DoEveryPieceOnceAndTellHowFarTheyAre) {
  std::vector<std::atomic<int>> done(1000);
  double last = 0;
  const auto work = [&](std::size_t i, random::Source&) -> Result<void> {
    ++done[i];
    return {};
  };
  const auto watch = [&](double part) {
    EXPECT_GT(part, last);
    last = part;
    return true;
  };
  ASSERT_TRUE(do_each(done.size(), work, watch));
  for (const auto& count : done) EXPECT_EQ(count, 1);
  EXPECT_EQ(last, 1);
}

TEST(CoverageThreads, StopAtTheFirstErrorAndWhenTheWatcherSaysNo) {
  const auto fails = [](std::size_t i, random::Source&) -> Result<void> {
    return i == 5 ? Result<void>(invalid("five")) : Result<void>();
  };
  EXPECT_EQ(do_each(1000, fails, nobody_watches).error().sentence(), "five");
  std::atomic<int> done = 0;
  const auto counts = [&](std::size_t, random::Source&) -> Result<void> {
    ++done;
    return {};
  };
  const auto stopped = do_each(1'000'000, counts, [](double) { return false; });
  EXPECT_EQ(stopped.error().sentence(), "the simulation was interrupted");
  EXPECT_LT(done, 1000);
}

TEST(Coverage, RefusesNothingToDo) {
  const NamedPopulation named = population_named("uniform").value();
  EXPECT_FALSE(report_on(named.population, {}, {}, 10, nobody_watches));
  EXPECT_EQ(report_on(named.population, {}, points_at({1}, named), 0, nobody_watches).error().sentence(),
            "the number of simulations must be from 1 to 100000000, but it is 0");
}

}  // namespace
}  // namespace vernier::coverage
