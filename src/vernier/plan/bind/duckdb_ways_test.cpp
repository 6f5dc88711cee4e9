#include <gtest/gtest.h>

#include "support/bound_studies.hpp"
#include "vernier/plan/plan.hpp"
#include "vernier/plan/statistic/statistic.hpp"

namespace vernier::plan {
namespace {

using testing::Ask;
using testing::bound;

std::string table(const std::string& never_null = "") {
  return "[tables.people]\nsource = \"people.csv\"\nunit = \"row\"\nrow_limit = 1000000\n[tables.people.columns]\n"
         "age = { type = \"integer\", lower = 0, upper = 100" +
         never_null + " }\nincome = { type = \"real\", lower = 0, upper = 500000, granularity = 1 }\n";
}

Plan plan_of(const std::vector<Ask>& asks, const std::string& tables) {
  Result<BoundStudy> study = bound(asks, tables);
  EXPECT_TRUE(study) << study.error().sentence();
  study->catalog.budget.epsilon = numeric::Rational::of(50);
  study->budget->epsilon = numeric::Rational::of(50);
  const Result<Plan> plan = allocate(*study);
  EXPECT_TRUE(plan) << plan.error().sentence();
  return plan.value();
}

double price(const std::string& select, const std::string& accuracy, const std::string& tables = table()) {
  return plan_of({{"SELECT " + select + " FROM people", "accuracy = { " + accuracy + " }"}}, tables).epsilon;
}

// At delta 0, where prices add up.
double pure_price(const std::string& select, const std::string& accuracy) {
  Result<BoundStudy> study = bound({{"SELECT " + select + " FROM people", "accuracy = { " + accuracy + " }"}}, table());
  EXPECT_TRUE(study) << study.error().sentence();
  study->catalog.budget.epsilon = numeric::Rational::of(50);
  study->budget = query::StudyBudget{numeric::Rational::of(50), numeric::Rational::of(0)};
  return allocate(*study).value().epsilon;
}

TEST(Ways, CountsRowsByTheSumsOfAMeanThatHasNoNull) {
  const std::string complete = table(", never_null = true");
  const double by_values = price("COUNT(age) AS n, AVG(age) AS m", "n = 20, m = 1", complete);
  EXPECT_NEAR(price("COUNT(*) AS n, AVG(age) AS m", "n = 20, m = 1", complete), by_values, 1e-9);
  EXPECT_NEAR(price("COUNT(*) AS n, AVG(COALESCE(age, 0)) AS m", "n = 20, m = 1"), by_values, 1e-9);
  EXPECT_GT(price("COUNT(*) AS n, AVG(age) AS m", "n = 20, m = 1"), 1.2 * by_values);  // some rows may have no age
  const Plan plan =
      plan_of({{"SELECT COUNT(*) AS n, AVG(age) AS m FROM people", "accuracy = { n = 20, m = 1 }"}}, complete);
  ASSERT_TRUE(plan.study.statistics[0].rows_by);
  EXPECT_EQ(plan.events.size(), 1U);
  EXPECT_LE(plan.statistics[0].noise[0].accuracy, 20);
  EXPECT_LE(plan.statistics[0].noise[1].accuracy, 1);
}

TEST(Ways, NeverCostMoreThanApart) {
  const double apart = price("COUNT(age) AS n", "n = 20") + price("VARIANCE(age) AS v", "v = 400");
  EXPECT_LE(price("COUNT(age) AS n, VARIANCE(age) AS v", "n = 20, v = 400"), apart * (1 + 1e-6));
  const double three =
      price("COUNT(age) AS n", "n = 5") + price("SUM(age) AS s", "s = 300") + price("AVG(age) AS m", "m = 9");
  EXPECT_LE(price("COUNT(age) AS n, SUM(age) AS s, AVG(age) AS m", "n = 5, s = 300, m = 9"), three * (1 + 1e-6));
}

// Of one column the count is better apart, of the other it is better shared.
TEST(Ways, AreThoseOfEachColumn) {
  const std::string of_age = "COUNT(age) AS n, VARIANCE(age) AS v";
  const std::string of_income = "COUNT(income) AS m, VARIANCE(income) AS w";
  const double apart = pure_price(of_age, "n = 20, v = 400") + pure_price(of_income, "m = 20, w = 1500000000");
  const double both = pure_price(of_age + ", " + of_income, "n = 20, v = 400, m = 20, w = 1500000000");
  EXPECT_LE(both, apart * (1 + 1e-6));
}

TEST(Ways, ShareWhereThatCostsLess) {
  const double together = price("COUNT(age) AS n, AVG(age) AS m", "n = 20, m = 1");
  EXPECT_LT(together, price("COUNT(age) AS n", "n = 20") + price("AVG(age) AS m", "m = 1") - 0.1);
}

const std::string four =
    "QUANTILE(income, 0.2) AS a, QUANTILE(income, 0.4) AS b, QUANTILE(income, 0.5) AS c, QUANTILE(income, 0.8) AS d";

TEST(Ways, ChooseQuantilesApartWhereATreeCostsMore) {
  double apart = 0;
  for (const auto& [fraction, target] : std::vector<std::pair<std::string, std::string>>{
           {"0.2", "1000"}, {"0.4", "1000"}, {"0.5", "20"}, {"0.8", "1000"}}) {
    apart += price("QUANTILE(income, " + fraction + ") AS q", "q = " + target);
  }
  EXPECT_LE(price(four, "a = 1000, b = 1000, c = 20, d = 1000"), apart * (1 + 1e-6));
}

TEST(Ways, KeepATreeForManyQuantiles) {
  std::string many;
  for (int i = 1; i < 40; ++i) {
    many += (i == 1 ? "" : ", ") + std::string("QUANTILE(age, ") + (i * 25 < 100 ? "0.0" : "0.") +
            std::to_string(i * 25) + ") AS q" + std::to_string(i);
  }
  const Plan plan = plan_of({{"SELECT " + many + " FROM people", ""}}, table());
  EXPECT_EQ(plan.study.statistics[0].measurements[0].kind, QuantileTree::kind);
}

}  // namespace
}  // namespace vernier::plan
