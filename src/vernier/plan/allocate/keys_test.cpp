// Plans of statistics whose keys are found in the data.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "support/noisy_studies.hpp"
#include "vernier/plan/allocate/planned.hpp"
#include "vernier/plan/allocate/price.hpp"
#include "vernier/plan/plan.hpp"
#include "vernier/plan/statistic/statistic.hpp"

namespace vernier::plan {
namespace {

using test::bound_statistic, test::bound_study, test::NoisyColumn, test::StudyTerms, test::with_private_keys;

const std::vector<NoisyColumn> units_and_sum = {{"", Units::kind}, {"total", Sum::kind, 100, 3}};

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
  const auto second = with_private_keys(bound_statistic("b", {{"n", Units::kind}}), 1);
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

// Geometric noise alone has no use for delta, so that keys have all of it: the threshold of a Laplace mechanism with
// this epsilon and delta, 15 at (1, 1e-6), where half of delta has 16.
TEST(AllocateKeys, HaveAllOfDeltaWhereNoiseNeedsNone) {
  for (const bool has_target : {false, true}) {
    NoisyColumn people{"people", Units::kind};
    if (has_target) people.target = "3";
    const StudyTerms terms = has_target ? StudyTerms{"1.2", "1e-6"} : StudyTerms{"1", "1e-6"};
    const Plan plan = allocate(bound_study({with_private_keys(bound_statistic("a", {people}), 1)}, terms)).value();
    const Law& law = plan.statistics[0].noise[0].law;
    ASSERT_EQ(name_of(law), "geometric");
    const std::int64_t threshold = plan.statistics[0].keys->threshold;
    EXPECT_EQ(threshold, least_threshold(law, {1, 1e-6}).value());
    EXPECT_LT(threshold, least_threshold(law, {1, 5e-7}).value());
    EXPECT_EQ(selection(plan, 0).threshold(), threshold);
    const auto accountant = accounting::Accountant::of(plan.events).value();
    EXPECT_LE(accountant.epsilon(plan.delta, accounting::Tightness::usual()).value().bounds.upper, plan.epsilon);
    EXPECT_LE(plan.epsilon, has_target ? 1.2 : 1);
    if (!has_target) {
      EXPECT_EQ(threshold, 15);
    }
  }
}

// Gaussian noise needs its half: with less it costs more than is felt. The planted mistake, thresholds that let through
// more than delta, has no epsilon at all.
TEST(AllocateKeys, HaveHalfOfDeltaWhereNoiseNeedsTheOther) {
  const auto statistic = with_private_keys(bound_statistic("a", {{"people", Units::kind}}), 40);
  const BoundStudy study = bound_study({statistic}, {"1", "1e-6"});
  const Plan plan = allocate(study).value();
  const Law& law = plan.statistics[0].noise[0].law;
  ASSERT_EQ(name_of(law), "discrete-gaussian");
  EXPECT_EQ(plan.statistics[0].keys->threshold, least_threshold(law, {40, 5e-7}).value());
  const auto with_risk = [&](double times) {
    const auto items = with_risk_of_keys(items_of(study, plan.delta).value(), times);
    const auto found = planned_with(study, items, {law}, plan.delta);
    return found ? found->epsilon : std::numeric_limits<double>::infinity();
  };
  EXPECT_EQ(with_risk(1), plan.epsilon);
  EXPECT_GT(with_risk(2), plan.epsilon * 1.02);  // all of delta
  EXPECT_TRUE(std::isinf(with_risk(20)));        // ten times delta
}

// Where every column has a target, hidden units follow the least accurate of them, in what one unit can move.
TEST(AllocateKeys, FollowTheTargetsBesideThem) {
  auto columns = units_and_sum;
  columns[1].target = "4550";
  columns.push_back({"n", Count::kind, 2, 3, "60"});
  for (const bool has_budget : {false, true}) {
    StudyTerms terms;
    if (has_budget) terms.epsilon = "50";
    const Plan plan = allocate(bound_study({with_private_keys(bound_statistic("a", columns), 3)}, terms)).value();
    EXPECT_EQ(plan.statistics[0].noise[0].accuracy_steps, 45);  // 4550 / 100, not 60 / 2
    EXPECT_EQ(plan.statistics[0].noise[1].accuracy_steps, 4550);
  }
}

TEST(AllocateKeys, TakeTheirOwnTargetWhereTheyArePublished) {
  const auto statistic = with_private_keys(bound_statistic("a", {{"people", Units::kind, 1, 2, "25"}}), 2);
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
