#include <gtest/gtest.h>

#include "support/bound_studies.hpp"
#include "vernier/plan/plan.hpp"
#include "vernier/plan/statistic/ranks.hpp"

// Quantiles, MIN and MAX from their SQL to a plan.
namespace vernier::plan {
namespace {

using testing::people_table;
using testing::statistic_of;

Plan planned(const std::string& sql, const std::string& more = "", const std::string& table = people_table) {
  return allocate(testing::bound_to(testing::catalog_of(testing::catalog_head + table), {{sql, more}}).value()).value();
}

TEST(QuantilePlan, MovesAsASumOverTheFractionDoes) {
  const auto shift = [](const std::string& column, const std::string& more = "") {
    return statistic_of("SELECT " + column + " AS x FROM people", more).measurements.front().sensitivity.shift;
  };
  EXPECT_EQ(shift("MEDIAN(educ)"), 1);
  EXPECT_EQ(shift("QUANTILE(educ, 0.9)"), 9);
  EXPECT_EQ(shift("QUANTILE(educ, 0.1)"), 9);
  EXPECT_EQ(shift("QUANTILE(educ, 0.75)", "max_rows = 4"), 12);
  EXPECT_EQ(shift("MIN(educ)", "max_rows = 4"), 4);
  EXPECT_EQ(shift("MAX(educ)"), 1);
}

TEST(QuantilePlan, MovesByTheWholeDenominatorWhereAUnitIsReplaced) {
  std::string table = people_table;
  table.replace(table.find("unit = \"id\""), 11, "unit = \"id\"\nneighbours = \"replace\"");
  const auto shift = [&](const std::string& column) {
    return statistic_of("SELECT " + column + " AS x FROM people", "", table).measurements.front().sensitivity.shift;
  };
  EXPECT_EQ(shift("MEDIAN(educ)"), 2);
  EXPECT_EQ(shift("QUANTILE(educ, 0.9)"), 10);
  EXPECT_EQ(shift("MIN(educ)"), 1);
}

TEST(QuantilePlan, AsksTheSameQuantileOnce) {
  const Plan plan = planned(
      "SELECT MEDIAN(income) AS a, QUANTILE(income, 0.5) AS b, QUANTILE(income, 0.50) AS c, QUANTILE(income, 0.6) AS "
      "d, "
      "MIN(income) AS e, MIN(income) AS f FROM people");
  const auto& all = plan.study.statistics.front().measurements;
  EXPECT_EQ(all.size(), 3U);
  for (const Measurement& own : all) EXPECT_FALSE(own.source);
  EXPECT_EQ(plan.events.size(), 3U);
  EXPECT_EQ(plan.study.statistics.front().histograms.size(), 1U);
  EXPECT_NE(canonical(plan).find(R"("histograms":[{"argument":0,"halvings":0}])"), std::string::npos);
  EXPECT_NE(canonical(plan).find(R"("mechanism":"exponential","scale":)"), std::string::npos);
}

// A median moves by half a rank: at scale s its value is within 2 s ln(3 G K 19) for K margins, in half ranks.
TEST(QuantilePlan, StatesItsAccuracyInRanks) {
  const Plan plan = planned("SELECT MEDIAN(educ) AS m FROM people");
  const PlannedNoise& noise = plan.statistics.front().noise.front();
  EXPECT_EQ(name_of(noise.law), "exponential");
  EXPECT_NEAR(scale_of(noise.law), 1, 1e-3);  // epsilon 1, and a little from the root of delta
  EXPECT_EQ(noise.accuracy_steps, std::ceil(2 * scale_of(noise.law) * std::log((3 * 16.0 * 16 - 1) * 19)));
  EXPECT_EQ(noise.accuracy, (static_cast<double>(noise.accuracy_steps) - 1) / 2);
  EXPECT_LE(plan.epsilon, 1);
}

TEST(QuantilePlan, MeetsATargetInRanks) {
  for (const char* const column : {"MEDIAN(income)", "QUANTILE(income, 0.9)", "MAX(income)"}) {
    for (const char* const ranks : {"150", "333", "5000"}) {
      const Plan plan = planned(std::string("SELECT ") + column + " AS m FROM people",
                                std::string("accuracy = { m = ") + ranks + " }");
      const double accuracy = plan.statistics.front().noise.front().accuracy;
      EXPECT_LE(accuracy, std::stod(ranks));
      EXPECT_GT(accuracy, std::stod(ranks) - 2);
    }
  }
}

TEST(QuantilePlan, SaysWhenSoFewRanksCannotBe) {
  const auto bound = testing::bound_to(testing::catalog_of(testing::catalog_head + people_table),
                                       {{"SELECT MAX(income) AS m FROM people", "accuracy = { m = 0.1 }"}});
  const auto plan = allocate(bound.value());
  ASSERT_FALSE(plan);
  EXPECT_NE(plan.error().sentence().find("ranks"), std::string::npos) << plan.error().sentence();
}

// A budget is shared between a count and a median as between two counts.
TEST(QuantilePlan, SharesABudgetWithOthers) {
  const Plan plan = planned("SELECT COUNT(*) AS n, MEDIAN(educ) AS m FROM people");
  const auto& noise = plan.statistics.front().noise;
  EXPECT_LE(plan.epsilon, 1);
  EXPECT_GT(noise[1].share, 0.2);
  EXPECT_LT(noise[1].share, 0.8);
}

TEST(QuantilePlan, GoesWithPrivateKeys) {
  const Plan plan = planned("SELECT city, MEDIAN(educ) AS m FROM people GROUP BY city", "max_groups = 3");
  EXPECT_EQ(plan.study.statistics.front().measurements.size(), 2U);
  EXPECT_EQ(plan.events.size(), 2U);
  EXPECT_EQ(plan.events[1].times().value(), 3);
  const double epsilon = std::get<accounting::Choice>(plan.events[1].release()).epsilon.value();
  EXPECT_GE(epsilon, 1 / scale_of(plan.statistics.front().noise[1].law));
}

// Units behind private keys cost about what the quantile beside them does, and not more.
TEST(QuantilePlan, GivesHiddenUnitsAPartLikeItsOwn) {
  const Plan plan = planned("SELECT city, MEDIAN(educ) AS m FROM people GROUP BY city", "accuracy = { m = 200 }");
  EXPECT_GT(plan.statistics.front().noise[0].share, 0.2);
  EXPECT_LT(plan.statistics.front().noise[0].share, 0.8);
  EXPECT_LT(plan.epsilon, 0.5);
}

TEST(QuantilePlan, RefusesWhatIsTheSameInAllRows) {
  const auto bound = testing::bound_to(testing::catalog_of(testing::catalog_head + people_table),
                                       {{"SELECT MEDIAN(CLAMP(educ, 3, 3)) AS m FROM people", ""}});
  ASSERT_FALSE(bound);
  EXPECT_NE(bound.error().sentence().find("same in all rows"), std::string::npos);
}

}  // namespace
}  // namespace vernier::plan
