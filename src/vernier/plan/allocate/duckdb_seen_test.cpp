#include <gtest/gtest.h>

#include "support/bound_studies.hpp"
#include "vernier/plan/allocate/planned.hpp"
#include "vernier/plan/plan.hpp"

// Which groups of private keys are to be published: seen = { units = 50, chance = 0.99 }.
namespace vernier::plan {
namespace {

using testing::bound;

const std::string by_city = "SELECT city, COUNT(*) AS n FROM people GROUP BY city";

Plan plan_of(const std::string& sql, const std::string& more) {
  Result<BoundStudy> study = bound({{sql, more}}, testing::people_table);
  EXPECT_TRUE(study) << study.error().sentence();
  study->catalog.budget.epsilon = study->budget->epsilon = numeric::Rational::of(50);
  const Result<Plan> plan = allocate(*study);
  EXPECT_TRUE(plan) << plan.error().sentence();
  return plan.value();
}

double chance(const Plan& plan, std::int64_t units) {
  const PlannedStatistic& statistic = plan.statistics[0];
  return chance_of(statistic.noise[0].law, statistic.keys->threshold, units).lower;
}

TEST(Seen, IsMetByTheLargestNoise) {
  for (const std::string& sql : {by_city, std::string("SELECT city, AVG(debt) AS n FROM people GROUP BY city")}) {
    for (const std::int64_t units : {20, 50, 3000}) {
      const std::string wanted = "seen = { units = " + std::to_string(units) + ", chance = 0.99 }\n";
      const Plan plan = plan_of(sql, wanted + "accuracy = { n = 100000 }");
      EXPECT_GE(chance(plan, units), 0.99) << sql;
      EXPECT_LT(chance(plan, units - units / 10 - 1), 0.99) << sql;
    }
  }
}

TEST(Seen, CostsNothingWhereMoreIsSeenAnyway) {
  const Plan plan = plan_of(by_city, "accuracy = { n = 5 }");
  const Plan same = plan_of(by_city, "seen = { units = 5000, chance = 0.9 }\naccuracy = { n = 5 }");
  EXPECT_EQ(plan.epsilon, same.epsilon);
  EXPECT_GT(plan_of(by_city, "seen = { units = 20, chance = 0.999 }\naccuracy = { n = 5000 }").epsilon,
            plan_of(by_city, "accuracy = { n = 5000 }").epsilon);
}

std::string refusal(const std::string& sql, const std::string& more) {
  const auto study = bound({{sql, more}}, testing::people_table);
  if (!study) return study.error().sentence();
  const auto plan = allocate(*study);
  return plan ? "" : plan.error().sentence();
}

TEST(Seen, IsRefusedWhereItCannotBe) {
  EXPECT_NE(refusal("SELECT region, COUNT(*) AS n FROM people GROUP BY region", "seen = { units = 50, chance = 0.99 }")
                .find("its keys are declared, and all of them are; leave it out"),
            std::string::npos);
  EXPECT_NE(refusal(by_city, "seen = { units = 2, chance = 0.99999999999 }\naccuracy = { n = 5 }"), "");
}

}  // namespace
}  // namespace vernier::plan
