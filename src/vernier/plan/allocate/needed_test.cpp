#include "vernier/plan/allocate/needed.hpp"

#include <gtest/gtest.h>

#include "support/noisy_studies.hpp"
#include "vernier/numeric/rational.hpp"
#include "vernier/plan/plan.hpp"

namespace vernier::plan {
namespace {

// Two counts, the first of which is to be within 5.
BoundStudy study_with(const char* epsilon) {
  BoundStatistic first = test::bound_statistic("first", {{"n"}});
  first.measurements[0].target = test::decimal("5");
  return test::bound_study({first, test::bound_statistic("second", {{"m"}})}, {epsilon});
}

TEST(Needed, IsTheEpsilonBelowWhichThePlanIsRefused) {
  const auto found = needed(study_with("1"));
  ASSERT_TRUE(found && *found);
  EXPECT_EQ((*found)->statistic, 0);
  EXPECT_EQ((*found)->measurement, 0);
  const double epsilon = (*found)->epsilon;
  EXPECT_TRUE(allocate(study_with(std::to_string(epsilon * 1.01).c_str())));
  EXPECT_FALSE(allocate(study_with(std::to_string(epsilon * 0.99).c_str())));
}

TEST(Needed, IsNothingWithoutTargets) {
  const auto found = needed(test::bound_study({test::bound_statistic("first", {{"n"}})}, {"1"}));
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->has_value());
}

}  // namespace
}  // namespace vernier::plan
