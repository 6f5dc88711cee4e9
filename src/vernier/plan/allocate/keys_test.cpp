// Plans of statistics whose keys are found in the data.
#include <gtest/gtest.h>

#include "support/noisy_studies.hpp"
#include "vernier/plan/allocate/price.hpp"
#include "vernier/plan/plan.hpp"

namespace vernier::plan {
namespace {

using test::bound_statistic, test::bound_study, test::NoisyColumn, test::StudyTerms, test::with_private_keys;

const std::vector<NoisyColumn> units_and_sum = {{"", MeasurementKind::units}, {"total", MeasurementKind::sum, 100, 3}};

const accounting::KeySelection& selection(const Plan& plan, std::size_t event) {
  return std::get<accounting::KeySelection>(plan.events[event].release());
}

// Units are released by the selection and nowhere else; its groups are those of a unit, its relation does the rest.
TEST(AllocateKeys, ChargeTheUnitsOnce) {
  for (const auto neighbours : {privacy::Neighbours::add_remove, privacy::Neighbours::replace}) {
    StudyTerms terms{"1", "1e-7"};
    terms.neighbours = neighbours;
    const Plan plan = allocate(bound_study({with_private_keys(bound_statistic("a", units_and_sum), 3)}, terms)).value();
    ASSERT_EQ(plan.events.size(), 2U);
    EXPECT_EQ(selection(plan, 0).groups(), 3);
    EXPECT_EQ(plan.events[0].times().value(), 1);
    EXPECT_EQ(plan.events[0].neighbours(), neighbours);
    EXPECT_EQ(plan.events[1].times().value(), 3);
    EXPECT_EQ(selection(plan, 0).threshold(), plan.statistics[0].keys->threshold);
    EXPECT_LE(plan.epsilon, 1);
  }
}

// Half of delta goes to keys, in equal parts; each threshold is the least for its part.
TEST(AllocateKeys, ShareHalfOfDelta) {
  const auto first = with_private_keys(bound_statistic("a", units_and_sum), 3);
  const auto second = with_private_keys(bound_statistic("b", {{"n", MeasurementKind::units}}), 1);
  StudyTerms terms{"1", "1e-7"};
  terms.neighbours = privacy::Neighbours::replace;
  const Plan plan = allocate(bound_study({first, second, bound_statistic("c", {{"n"}})}, terms)).value();
  const std::int64_t touched[] = {6, 2};
  for (std::size_t i = 0; i < 2; ++i) {
    const Law& law = plan.statistics[i].noise[0].law;
    const std::int64_t threshold = plan.statistics[i].keys->threshold;
    EXPECT_LE(escape_of_any(law, touched[i], threshold).upper, 2.5e-8);
    EXPECT_GT(escape_of_any(law, touched[i], threshold - 1).upper, 2.5e-8);
    EXPECT_EQ(plan.statistics[i].keys->delta, escape_of_any(law, touched[i], threshold).upper);
    EXPECT_FALSE(plan.statistics[i].keys->forecast.empty());
  }
  EXPECT_FALSE(plan.statistics[2].keys);
}

// Where every column has a target, hidden units follow the least accurate of them, in what one unit can move.
TEST(AllocateKeys, FollowTheTargetsBesideThem) {
  auto columns = units_and_sum;
  columns[1].target = "4550";
  columns.push_back({"n", MeasurementKind::count, 2, 3, "60"});
  for (const bool has_budget : {false, true}) {
    StudyTerms terms;
    if (has_budget) terms.epsilon = "50";
    const Plan plan = allocate(bound_study({with_private_keys(bound_statistic("a", columns), 3)}, terms)).value();
    EXPECT_EQ(plan.statistics[0].noise[0].accuracy_steps, 45);  // 4550 / 100, not 60 / 2
    EXPECT_EQ(plan.statistics[0].noise[1].accuracy_steps, 4550);
  }
}

TEST(AllocateKeys, TakeTheirOwnTargetWhereTheyArePublished) {
  const auto statistic = with_private_keys(bound_statistic("a", {{"people", MeasurementKind::units, 1, 2, "25"}}), 2);
  const Plan plan = allocate(bound_study({statistic}, {})).value();
  EXPECT_EQ(plan.statistics[0].noise[0].accuracy, 25);
}

// Where another column shares the budget, so do they.
TEST(AllocateKeys, ShareTheBudgetWithOthers) {
  const Plan plan =
      allocate(bound_study({with_private_keys(bound_statistic("a", units_and_sum), 3)}, {"1", "1e-7"})).value();
  EXPECT_NEAR(static_cast<double>(plan.statistics[0].noise[0].accuracy_steps),
              static_cast<double>(plan.statistics[0].noise[1].accuracy_steps) / 100, 1);
}

}  // namespace
}  // namespace vernier::plan
