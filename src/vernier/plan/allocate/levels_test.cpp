#include <cmath>

#include <gtest/gtest.h>

#include "support/noisy_studies.hpp"
#include "vernier/plan/allocate/accuracy.hpp"
#include "vernier/plan/plan.hpp"
#include "vernier/plan/statistic/statistic.hpp"

namespace vernier::plan {
namespace {

using test::bound_statistic;

BoundStatistic three_columns(bool is_simultaneous, bool of_population = false) {
  BoundStatistic made = bound_statistic("s", {{"n"}, {"mean", Mean::kind, 10}, {"sum"}});
  made.measurements[2].source = 1;
  made.keys.cells.resize(4);
  made.inference.is_simultaneous = is_simultaneous;
  made.inference.of_population = of_population;
  return made;
}

double level(const BoundStatistic& statistic, std::size_t place, std::int64_t groups) {
  return level_of(statistic, place, *Alpha::of(0.05), groups).value().value();
}

TEST(Levels, AreThatOfTheStudyForEachIntervalByItself) {
  for (std::size_t place = 0; place < 3; ++place) EXPECT_EQ(level(three_columns(false), place, 4), 0.05);
}

TEST(Levels, MultiplyOverWhatIsIndependentAndAddUpOverWhatSharesNoise) {
  const double each = -std::expm1(std::log1p(-0.05) / 8);  // four groups of two noises
  EXPECT_NEAR(level(three_columns(true), 0, 4), each, 1e-15);
  EXPECT_NEAR(level(three_columns(true), 1, 4), each / 2, 1e-15);
  EXPECT_NEAR(level(three_columns(true), 2, 4), each / 2, 1e-15);
  const double missed = 1 - std::pow((1 - level(three_columns(true), 0, 4)) * (1 - 2 * each / 2), 4);
  EXPECT_LE(missed, 0.05 + 1e-12);
}

TEST(Levels, TakeNothingOfAPopulationForIndependent) {
  for (std::size_t place = 0; place < 3; ++place) {
    EXPECT_NEAR(level(three_columns(true, true), place, 4), 0.05 / 12, 1e-15);
  }
}

TEST(Levels, DoNotCountWhatIsNotPublished) {
  BoundStatistic hidden = three_columns(true);
  hidden.measurements[0].aggregation.reset();
  EXPECT_EQ(level(hidden, 0, 4), 0.05);
  EXPECT_NEAR(level(hidden, 1, 4), -std::expm1(std::log1p(-0.05) / 4) / 2, 1e-15);
}

TEST(Levels, KnowTheGroupsOfPublicKeysAlone) {
  BoundStatistic statistic = three_columns(true);
  EXPECT_EQ(planned_groups(statistic), 4);
  EXPECT_EQ(released_groups(statistic, 4), 4);
  statistic.keys = {false, {}};
  EXPECT_EQ(planned_groups(statistic), 1);
  EXPECT_EQ(released_groups(statistic, 7), 7);
  EXPECT_EQ(released_groups(statistic, 0), 1);
}

// The least a with P[abs(X) > a] <= alpha grows where alpha is shared; a target is met for all groups at once.
TEST(Levels, MeetTargetsForAllGroupsAtOnce) {
  BoundStatistic one = bound_statistic("s", {{"n", Count::kind, 1, 1, "50"}});
  one.keys.cells.resize(100);
  const Plan alone = allocate(test::bound_study({one}, {})).value();
  one.inference.is_simultaneous = true;
  const Plan together = allocate(test::bound_study({one}, {})).value();
  EXPECT_EQ(together.statistics[0].noise[0].accuracy, 50);
  EXPECT_GT(together.epsilon, 1.5 * alone.epsilon);
  one.measurements[0].target.reset();
  const Plan budget = allocate(test::bound_study({one}, {.epsilon = "1"})).value();
  one.inference.is_simultaneous = false;
  const Plan usual = allocate(test::bound_study({one}, {.epsilon = "1"})).value();
  EXPECT_GT(budget.statistics[0].noise[0].accuracy, 1.5 * usual.statistics[0].noise[0].accuracy);
}

}  // namespace
}  // namespace vernier::plan
