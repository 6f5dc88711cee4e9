#include <gtest/gtest.h>

#include "support/bound_studies.hpp"
#include "vernier/plan/plan.hpp"
#include "vernier/plan/statistic/quantile_tree.hpp"
#include "vernier/plan/statistic/statistic.hpp"

// Several quantiles of one argument from their SQL to a plan.
namespace vernier::plan {
namespace {

using testing::people_table;
using testing::statistic_of;

const std::string quartet =
    "QUANTILE(income, 0.1) AS a, QUANTILE(income, 0.25) AS b, MEDIAN(income) AS c, QUANTILE(income, 0.9) AS d";

Plan planned(const std::string& sql, const std::string& more = "", const std::string& table = people_table) {
  return allocate(testing::bound_to(testing::catalog_of(testing::catalog_head + table), {{sql, more}}).value()).value();
}

// By a tree, whether or not that is the best way.
Plan planned_as_tree(const std::string& sql) {
  BoundStudy study = testing::bound_to(testing::catalog_of(testing::catalog_head + people_table), {{sql, ""}}).value();
  study.statistics.front().ways.clear();
  return allocate(study).value();
}

TEST(TreePlan, MeasuresFourFractionsOnce) {
  const Plan plan = planned_as_tree("SELECT MIN(income) AS l, " + quartet + ", COUNT(*) AS n FROM people");
  const BoundStatistic& statistic = plan.study.statistics.front();
  EXPECT_EQ(statistic.measurements[0].kind, Quantile::kind);
  for (const std::size_t i : {1, 2, 3, 4}) {
    const Measurement& one = statistic.measurements[i];
    EXPECT_EQ(one.kind, QuantileTree::kind);
    EXPECT_EQ(one.source, i == 1 ? std::nullopt : std::optional<std::size_t>(1));
    EXPECT_EQ(one.width, i == 1 ? 12U : 0U);
    EXPECT_EQ(tree_slot(statistic, i), i - 1);
    EXPECT_EQ(plan.statistics.front().noise[i].share > 0, i == 1);
  }
  EXPECT_TRUE(is_tree_as_shared(statistic, 1));
  EXPECT_EQ(plan.events.size(), 3U);
  EXPECT_NE(canonical(plan).find(R"("kind":"quantile-tree","figure":"quantile","fraction":"0.1","width":12)"),
            std::string::npos);
}

TEST(TreePlan, LeavesThreeFractionsAndOtherArgumentsAlone) {
  for (const char* const columns :
       {"QUANTILE(income, 0.25) AS a, MEDIAN(income) AS b, QUANTILE(income, 0.5) AS c, QUANTILE(income, 0.75) AS d",
        "QUANTILE(income, 0.25) AS a, MEDIAN(income) AS b, QUANTILE(educ, 0.5) AS c, QUANTILE(educ, 0.75) AS d",
        "QUANTILE(income, 0.25) AS a, MEDIAN(income) AS b, QUANTILE(income, 0.75) AS c, MAX(income) AS d"}) {
    for (const Measurement& one : statistic_of("SELECT " + std::string(columns) + " FROM people").measurements) {
      EXPECT_EQ(one.kind, Quantile::kind) << columns;
    }
  }
  for (const Measurement& one :
       statistic_of("SELECT " + quartet + " FROM people", "covers = \"population\"").measurements) {
    EXPECT_EQ(one.kind, Quantile::kind);
  }
}

TEST(TreePlan, MovesOnEveryLevel) {
  const auto moved = [](const std::string& more, const std::string& table = people_table) {
    return statistic_of("SELECT region, " + quartet + " FROM people GROUP BY region", more, table)
        .measurements.front()
        .sensitivity;
  };
  const std::int64_t levels = noise::CountTree::of(400'001).value().levels();
  EXPECT_EQ(moved("").shift, 1);
  EXPECT_EQ(moved("").coordinates, levels);
  EXPECT_EQ(moved("max_rows = 4\nmax_groups = 2").shift, 4);
  EXPECT_EQ(moved("max_rows = 4\nmax_groups = 2").coordinates, 2 * levels);
  EXPECT_EQ(moved("max_rows = 4\nmax_groups = 2").l1, 8 * levels);
  std::string table = people_table;
  table.replace(table.find("unit = \"id\""), 11, "unit = \"id\"\nneighbours = \"replace\"");
  EXPECT_EQ(moved("max_rows = 4\nmax_groups = 2", table).coordinates, 4 * levels);
}

// Nine fractions cost what four do, and are as accurate.
TEST(TreePlan, CostsTheSameForMoreFractions) {
  std::string nine;
  for (int i = 1; i <= 9; ++i)
    nine.append(i == 1 ? "" : ", ")
        .append("QUANTILE(income, 0.")
        .append(1, char('0' + i))
        .append(") AS q")
        .append(1, char('0' + i));
  const Plan four = planned_as_tree("SELECT " + quartet + " FROM people");
  const Plan all = planned_as_tree("SELECT " + nine + " FROM people");
  EXPECT_EQ(four.statistics[0].noise[0].accuracy, all.statistics[0].noise[0].accuracy);
  EXPECT_EQ(all.events.size(), 1U);
  EXPECT_EQ(all.statistics[0].noise[8].accuracy, all.statistics[0].noise[0].accuracy);
  EXPECT_LT(all.statistics[0].noise[4].accuracy, all.statistics[0].noise[0].accuracy);
}

TEST(TreePlan, MeetsTargetsInRanks) {
  const Plan plan = planned("SELECT " + quartet + " FROM people", "accuracy = { a = 300, c = 5000, b = 280, d = 400 }");
  const auto& noise = plan.statistics[0].noise;
  EXPECT_LE(noise[0].accuracy, 300);
  EXPECT_LE(noise[1].accuracy, 280);
  EXPECT_GT(std::max(noise[0].accuracy - 300, noise[1].accuracy - 280), -3);
}

// Even the least noise moves a rank of a very fine fraction.
TEST(TreePlan, SaysWhenSoFewRanksCannotBe) {
  const auto bound = testing::bound_to(
      testing::catalog_of(testing::catalog_head + people_table),
      {{"SELECT QUANTILE(income, 0.000001) AS e, " + quartet + " FROM people", "accuracy = { e = 1e-5 }"}});
  const auto plan = allocate(bound.value());
  ASSERT_FALSE(plan);
  EXPECT_NE(plan.error().sentence().find("cannot be known within so few ranks"), std::string::npos)
      << plan.error().sentence();
}

TEST(TreePlan, HidesUnitsOfPrivateKeysAsWell) {
  const Plan plan = planned("SELECT city, " + quartet + " FROM people GROUP BY city",
                            "accuracy = { a = 900, b = 900, c = 900, d = 900 }");
  EXPECT_TRUE(plan.statistics[0].keys);
  EXPECT_LE(plan.statistics[0].noise[1].accuracy, 900);
}

}  // namespace
}  // namespace vernier::plan
