#include <gtest/gtest.h>

#include "support/bound_studies.hpp"
#include "vernier/plan/plan.hpp"
#include "vernier/plan/statistic/statistic.hpp"

// What is released together with the noise of a box: where it is cheaper, and what then is measured.
namespace vernier::plan {
namespace {

using testing::Ask;
using testing::bound;

// Ten columns of values that are there in every row, and one that may be missing.
std::string table(const std::string& more = "") {
  std::string text = "[tables.people]\nsource = \"people.csv\"\nunit = \"row\"\nrow_limit = 1000000\n" + more +
                     "[tables.people.columns]\nmissing = { type = \"integer\", lower = 0, upper = 100 }\n"
                     "sex = { type = \"string\", keys = [\"a\", \"b\"] }\n";
  for (int i = 0; i < 10; ++i) {
    text += "x" + std::to_string(i) + " = { type = \"integer\", lower = 0, upper = 100, never_null = true }\n";
  }
  return text;
}

std::string means(int count) {
  std::string text = "SELECT COUNT(*) AS n";
  for (int i = 0; i < count; ++i) text += ", AVG(x" + std::to_string(i) + ") AS m" + std::to_string(i);
  return text + " FROM people";
}

Plan plan_of(const std::string& sql, const std::string& delta, const std::string& tables = table(),
             const std::string& accuracy = "") {
  Result<BoundStudy> study = bound({{sql, accuracy}}, tables);
  EXPECT_TRUE(study) << study.error().sentence();
  study->catalog.budget.epsilon = numeric::Rational::of(50);
  study->budget =
      query::StudyBudget{numeric::Rational::of(accuracy.empty() ? 1 : 50), *numeric::Rational::of_decimal(delta)};
  const Result<Plan> plan = allocate(*study);
  EXPECT_TRUE(plan) << plan.error().sentence();
  return plan.value();
}

const std::vector<PlannedNoise>& noise(const Plan& plan) { return plan.statistics[0].noise; }
bool is_boxed(const Plan& plan) { return name_of(noise(plan)[0].law) == "box"; }

// ln 20 is the margin of one Laplace noise of scale 1: six and eleven of them share epsilon 1.
TEST(Boxed, CostsOneLaplaceEventHoweverManyNumbersThereAre) {
  for (const auto& [columns, count, mean] :
       std::vector<std::tuple<int, double, double>>{{3, 6, 0.47}, {10, 13, 1.02}}) {
    const Plan plan = plan_of(means(columns), "0");
    ASSERT_TRUE(is_boxed(plan));
    EXPECT_EQ(plan.events.size(), 1U);
    EXPECT_TRUE(std::holds_alternative<mechanism::LaplaceMechanism>(plan.events[0].release()));
    EXPECT_LE(plan.epsilon, 1);
    EXPECT_EQ(noise(plan)[0].accuracy, count);
    EXPECT_NEAR(noise(plan)[1].accuracy, mean, 0.01 * mean + 0.005);  // of range 100, and 1,000 rows
    EXPECT_NEAR(noise(plan)[0].share, 1, 1e-12);
    EXPECT_EQ(plan.study.statistics[0].measurements[0].width, static_cast<std::size_t>(columns) + 1);
  }
}

TEST(Boxed, ServesColumnsThatMayBeMissingBesideTheirOwnNumberOfRows) {
  const Plan plan =
      plan_of("SELECT COUNT(*) AS n, AVG(missing) AS m, COUNT(missing) AS k, SUM(missing) AS s FROM people", "0");
  ASSERT_TRUE(is_boxed(plan));
  EXPECT_EQ(plan.study.statistics[0].measurements[0].width, 3U);  // rows, values, and the sum of these
  EXPECT_EQ(noise(plan)[0].accuracy, 5);
  EXPECT_EQ(noise(plan)[2].accuracy, 5);
}

TEST(Boxed, IsTheCheapestThatMeetsTargets) {
  const std::string targets = "accuracy = { n = 30, m0 = 2, m1 = 3, m2 = 2 }";
  const Plan plan = plan_of(means(3), "0", table(), targets);
  ASSERT_TRUE(is_boxed(plan));
  EXPECT_LE(noise(plan)[0].accuracy, 30);
  EXPECT_LE(noise(plan)[1].accuracy, 2);
  EXPECT_LT(plan.epsilon, 0.24);  // 4.65 / 20 for the means; three means of nodes apart need 0.45 at delta 0
  const Plan tight = plan_of(means(3), "0", table(), "accuracy = { n = 30, m0 = 0.01, m1 = 90, m2 = 90 }");
  EXPECT_FALSE(is_boxed(tight));  // one that is far tighter than the others is better alone
}

// Apart, three means and a count that share epsilon 1 are about twice as far off, and a delta of 1e-7 helps them
// little.
TEST(Boxed, IsOfferedBesideADelta) {
  const Plan plan = plan_of(means(3), "0.0000001");
  ASSERT_TRUE(is_boxed(plan));
  EXPECT_LE(noise(plan)[0].accuracy, 6);
  EXPECT_LE(plan.epsilon, 1);
}

TEST(Boxed, LeavesTheNumberThatChoosesPrivateKeysAlone) {
  const std::string keyed = table() + "town = { type = \"string\" }\n";
  const std::string sql =
      "SELECT town, COUNT(*) AS n, AVG(x0) AS a, AVG(x1) AS b, AVG(x2) AS c FROM people GROUP BY town";
  const Plan plan = plan_of(sql, "0.0000001", keyed);
  const auto& measured = plan.study.statistics[0].measurements;
  ASSERT_EQ(name_of(noise(plan)[1].law), "box");
  EXPECT_EQ(measured[0].kind, Units::kind);
  EXPECT_NE(name_of(noise(plan)[0].law), "box");
  EXPECT_EQ(measured[1].width, 4U);  // rows and three sums
  EXPECT_EQ(plan.events.size(), 2U);
}

// What a unit leaves and what it adds can lie at opposite corners.
TEST(Boxed, MovesTwiceAsFarUnderReplace) {
  const Plan plan = plan_of(means(3), "0", table("neighbours = \"replace\"\n"));
  ASSERT_TRUE(is_boxed(plan));
  const Sensitivity& moved = plan.study.statistics[0].measurements[0].sensitivity;
  EXPECT_EQ(moved.shift, 2);
  EXPECT_EQ(moved.coordinates, 1);
  EXPECT_EQ(moved.linf, 200);  // of a sum of 2k - 100
  EXPECT_NEAR(plan.epsilon, 2 / scale_of(noise(plan)[0].law), 1e-6);
}

// Stated ones are a limit to the noise of all; what the budget leaves makes them better.
TEST(Boxed, TakesColumnsThatShareABudgetBesideTargets) {
  const auto mixed = [](const std::string& targets, int epsilon) {
    Result<BoundStudy> study = bound({{means(3), targets}}, table());
    EXPECT_TRUE(study) << study.error().sentence();
    study->catalog.budget.epsilon = numeric::Rational::of(50);
    study->budget = query::StudyBudget{numeric::Rational::of(epsilon), numeric::Rational::of(0)};
    return allocate(*study).value();
  };
  const Plan loose = mixed("accuracy = { n = 30 }", 1);
  ASSERT_TRUE(is_boxed(loose));
  EXPECT_NEAR(loose.epsilon, 1, 1e-6);
  EXPECT_EQ(noise(loose)[0].accuracy, 6);
  EXPECT_NEAR(noise(loose)[1].accuracy, 0.47, 0.01);
  EXPECT_LE(noise(mixed("accuracy = { n = 30, m0 = 0.3 }", 2))[1].accuracy, 0.3);
}

// Many statements together want Gaussian noise, of a number alone there is nothing to share.
TEST(Boxed, GivesWayWhereItIsDearer) {
  std::vector<Ask> asks(12, Ask{means(3), ""});
  for (std::size_t i = 0; i < asks.size(); ++i) asks[i].sql += " WHERE missing > " + std::to_string(i);
  Result<BoundStudy> study = bound(asks, table());
  ASSERT_TRUE(study);
  study->budget = query::StudyBudget{numeric::Rational::of(1), *numeric::Rational::of_decimal("0.000001")};
  EXPECT_FALSE(is_boxed(allocate(*study).value()));
  EXPECT_FALSE(is_boxed(plan_of("SELECT COUNT(*) AS n FROM people", "0")));
  EXPECT_FALSE(is_boxed(plan_of("SELECT AVG(missing) AS m FROM people", "0")));
}

TEST(Boxed, IsNotOfferedWhereNothingIsProven) {
  EXPECT_FALSE(is_boxed(plan_of("SELECT sex, COUNT(*) AS n, AVG(x0) AS m FROM people GROUP BY sex", "0", table(),
                                "denoise = \"james-stein\"\naccuracy = { n = 9, m = 9 }")));
}

// Every column of the box, by itself or of groups that a unit may be in several of, moves by what is charged.
TEST(Boxed, ChargesEveryGroupOfAUnit) {
  std::string visits = table();
  visits.replace(visits.find("unit = \"row\""), 12, "unit = \"id\"");
  visits += "id = { type = \"integer\" }\n";
  const std::string sql = "SELECT sex, COUNT(*) AS n, AVG(x0) AS m, AVG(x1) AS k FROM people GROUP BY sex";
  const Plan plan = plan_of(sql, "0", visits, "max_groups = 2\nmax_rows = 3\naccuracy = { n = 100, m = 8, k = 8 }");
  ASSERT_TRUE(is_boxed(plan));
  const Sensitivity& moved = plan.study.statistics[0].measurements[0].sensitivity;
  EXPECT_EQ(moved.shift, 3);
  EXPECT_EQ(moved.coordinates, 2);
  EXPECT_NEAR(plan.epsilon, 6 / scale_of(noise(plan)[0].law), 1e-6);
}

}  // namespace
}  // namespace vernier::plan
