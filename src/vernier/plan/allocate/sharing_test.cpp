#include <gtest/gtest.h>

#include "support/noisy_studies.hpp"
#include "vernier/plan/allocate/price.hpp"
#include "vernier/plan/statistic/statistic.hpp"

namespace vernier::plan {
namespace {

using test::bound_statistic;
using test::bound_study;

// The column at `place` is made from the integers of the one at `source`.
BoundStatistic shared(BoundStatistic statistic, std::size_t place, std::size_t source) {
  Measurement& one = statistic.measurements[place];
  one.source = source;
  one.width = 0;
  one.sensitivity = statistic.measurements[source].sensitivity;
  return statistic;
}

const BoundStatistic two = bound_statistic("a", {{"first", Mean::kind, 100}, {"second", Mean::kind, 100}});

TEST(Sharing, CostsWhatOneMeasurementCosts) {
  const auto one = bound_statistic("a", {{"first", Mean::kind, 100}});
  const Plan alone = allocate(bound_study({one}, {"1", "1e-7"})).value();
  const Plan plan = allocate(bound_study({shared(two, 1, 0)}, {"1", "1e-7"})).value();
  EXPECT_EQ(plan.events.size(), 1U);
  ASSERT_EQ(plan.statistics[0].noise.size(), 2U);
  EXPECT_EQ(scale_of(plan.statistics[0].noise[0].law), scale_of(alone.statistics[0].noise[0].law));
  EXPECT_EQ(scale_of(plan.statistics[0].noise[1].law), scale_of(alone.statistics[0].noise[0].law));
  EXPECT_EQ(plan.statistics[0].noise[0].share, 1);
  EXPECT_EQ(plan.statistics[0].noise[1].share, 0);
  EXPECT_EQ(plan.epsilon, alone.epsilon);
}

TEST(Sharing, MeetsTheTightestTargetOfAllThatShare) {
  for (const bool first_is_tighter : {true, false}) {
    BoundStatistic statistic = shared(two, 1, 0);
    statistic.measurements[0].target = test::decimal(first_is_tighter ? "2" : "3");
    statistic.measurements[1].target = test::decimal(first_is_tighter ? "3" : "2");
    const Plan plan = allocate(bound_study({statistic}, {})).value();
    EXPECT_EQ(plan.statistics[0].noise[0].accuracy_steps, 2000);
  }
}

TEST(Sharing, TakesATargetThatOnlyOneOfThemHas) {
  BoundStatistic statistic = shared(two, 1, 0);
  statistic.measurements[1].target = test::decimal("2");
  EXPECT_EQ(allocate(bound_study({statistic}, {}))->statistics[0].noise[0].accuracy_steps, 2000);
}

// The units behind private keys follow the columns: one that is shared states its target for both.
TEST(Sharing, CountsAsStatedForTheHiddenUnits) {
  auto statistic = test::with_private_keys(
      bound_statistic("a", {{"", Units::kind}, {"first", Mean::kind, 100}, {"second", Mean::kind, 100}}), 1);
  statistic = shared(statistic, 2, 1);
  statistic.measurements[2].target = test::decimal("2");
  const Plan plan = allocate(bound_study({statistic}, {})).value();
  EXPECT_EQ(plan.statistics[0].noise[0].accuracy_steps, 20);  // 2000 / 100
}

TEST(Sharing, LeavesItsPlaceOutOfWhatIsMeasured) {
  const auto three = bound_statistic("b", {{"x"}, {"y"}, {"z"}});
  const auto places = measured_places(bound_study({shared(two, 1, 0), shared(three, 1, 0)}, {}));
  ASSERT_EQ(places.size(), 3U);
  EXPECT_EQ(places[0].statistic, 0U);
  EXPECT_EQ(places[2].statistic, 1U);
  EXPECT_EQ(places[2].measurement, 2U);
}

}  // namespace
}  // namespace vernier::plan
