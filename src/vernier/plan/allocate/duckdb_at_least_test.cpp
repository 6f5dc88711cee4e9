#include <gtest/gtest.h>

#include "support/bound_studies.hpp"
#include "vernier/plan/plan.hpp"

// at_least = true: accuracies that are the least which is wanted.
namespace vernier::plan {
namespace {

using testing::Ask;
using testing::bound;

Result<Plan> tried(const std::vector<Ask>& asks, int epsilon) {
  Result<BoundStudy> study = bound(asks, testing::people_table);
  if (!study) return Failure(study.error());
  study->catalog.budget.epsilon = study->budget->epsilon = numeric::Rational::of(epsilon);
  return allocate(*study);
}

const std::string count = "SELECT COUNT(*) AS n FROM people", sum = "SELECT SUM(educ) AS s FROM people";

TEST(AtLeast, TakesWhatTheBudgetLeaves) {
  const Plan plan =
      tried({{count, "accuracy = { n = 40 }"}, {sum, "accuracy = { s = 3200 }\nat_least = true"}}, 1).value();
  EXPECT_EQ(plan.statistics[0].noise[0].accuracy, 40);
  EXPECT_LT(plan.statistics[1].noise[0].accuracy, 60);
  EXPECT_GT(plan.epsilon, 0.99);
  EXPECT_LE(plan.epsilon, 1);
  const Plan both =
      tried({{count, "accuracy = { n = 40 }\nat_least = true"}, {sum, "accuracy = { s = 3200 }\nat_least = true"}}, 1)
          .value();
  const double n = both.statistics[0].noise[0].accuracy, s = both.statistics[1].noise[0].accuracy;
  EXPECT_LT(n, 8);  // about a tenth of what was asked, but for whole steps
  EXPECT_LT(s, 640);
}

TEST(AtLeast, IsMetOrToldWhatItCosts) {
  const auto refused = tried({{count, "accuracy = { n = 1 }\nat_least = true"}}, 1);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().sentence().find("the targets need epsilon 1.77"), std::string::npos)
      << refused.error().sentence();
}

TEST(AtLeast, IsRefusedBesideColumnsThatTakeTheRest) {
  const auto refused = tried({{count, "accuracy = { n = 40 }\nat_least = true"}, {sum, ""}}, 1);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().sentence().find("takes what the budget leaves"), std::string::npos);
}

}  // namespace
}  // namespace vernier::plan
