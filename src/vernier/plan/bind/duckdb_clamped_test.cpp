#include <gtest/gtest.h>

#include "support/bound_studies.hpp"
#include "vernier/plan/bind/bind.hpp"
#include "vernier/plan/plan.hpp"
#include "vernier/plan/statistic/statistic.hpp"

// clamped_share = true: how many rows were moved to a bound.
namespace vernier::plan {
namespace {

using testing::said;
using testing::statistic_of;

const std::string asked = "clamped_share = true\n";

std::vector<std::string> columns_of(const BoundStatistic& statistic) {
  std::vector<std::string> names;
  for (const query::Aggregation& one : statistic.query.aggregations) names.push_back(one.name);
  return names;
}

TEST(ClampedShare, CountsMovedRowsOfEveryDifferentArgumentOnce) {
  const BoundStatistic found = statistic_of(
      "SELECT region, COUNT(*) AS n, SUM(income) AS total, AVG(income) AS mean, MEDIAN(educ) AS years, COUNT(debt) AS "
      "d "
      "FROM people GROUP BY region",
      asked);
  EXPECT_EQ(columns_of(found),
            (std::vector<std::string>{"n", "total", "mean", "years", "d", "total_clamped", "years_clamped"}));
  EXPECT_EQ(canonical(found.query.aggregations[5]), "COUNT(CASE WHEN IS_CLAMPED(\"income\") THEN 1 ELSE NULL END)");
  EXPECT_EQ(found.query.outputs.size(), 8U);
  EXPECT_EQ(found.query.outputs.back(), (query::Output{false, 6}));
  EXPECT_FALSE(found.measurements[0].clamped_count);
  EXPECT_EQ(found.measurements[1].clamped_count, "total_clamped");
  EXPECT_EQ(found.measurements[2].clamped_count, "total_clamped");
  EXPECT_EQ(found.measurements[3].clamped_count, "years_clamped");
  EXPECT_FALSE(found.measurements[4].clamped_count);
  for (std::size_t i = 0; i < 7; ++i) EXPECT_EQ(counts_clamped(found, found.measurements[i]), i > 4) << i;
}

TEST(ClampedShare, HasTheSensitivityOfACount) {
  const std::string sql = "SELECT region, COUNT(educ) AS n, SUM(income) AS s FROM people GROUP BY region";
  const BoundStatistic found = statistic_of(sql, asked + "max_groups = 2\nmax_rows = 5");
  EXPECT_EQ(found.measurements[2].kind, Count::kind);
  EXPECT_EQ(found.measurements[2].sensitivity.shift, 5);
  EXPECT_EQ(found.measurements[2].sensitivity.coordinates, 2);
  EXPECT_EQ(found.measurements[2].sensitivity.l1, found.measurements[0].sensitivity.l1);
  EXPECT_EQ(found.measurements[2].greatest, 1'000'000);
}

// Whoever writes the count out gets no second one.
TEST(ClampedShare, TakesTheCountOfTheStatementWhereItHasOne) {
  const BoundStatistic found = statistic_of(
      "SELECT AVG(educ) AS years, COUNT(CASE WHEN IS_CLAMPED(educ) THEN 1 END) AS moved FROM people", asked);
  EXPECT_EQ(columns_of(found), (std::vector<std::string>{"years", "moved"}));
  EXPECT_EQ(found.measurements[0].clamped_count, "moved");
}

TEST(ClampedShare, IsRefusedWhereNothingCanBeMovedOrANameIsTaken) {
  EXPECT_EQ(
      said("SELECT COUNT(*) AS n, SUM(CASE WHEN member THEN 1 ELSE 0 END) AS m FROM people", asked),
      "work/study.toml:3:1: the statistic 's0' asks for clamped_share, but nothing in it can be moved to a bound; "
      "leave it out");
  EXPECT_EQ(said("SELECT AVG(educ) AS x, COUNT(*) AS X_Clamped FROM people", asked),
            "work/study.toml:3:1: the statistic 's0' would publish two columns 'x_clamped', one of them for "
            "clamped_share; name its own otherwise");
  const std::string long_name(250, 'x');
  EXPECT_NE(said("SELECT AVG(educ) AS " + long_name + " FROM people", asked).find("for clamped_share, but"),
            std::string::npos);
}

TEST(ClampedShare, TakesATarget) {
  const BoundStatistic found =
      statistic_of("SELECT AVG(educ) AS x FROM people", asked + "accuracy = { x_clamped = 100 }");
  EXPECT_EQ(found.measurements[1].target->round_down(), 100);
}

// The other columns lose little, and it is ten times less accurate, in what one unit can move.
// Of numbers that share no noise without it either.
TEST(ClampedShare, TakesASmallPartOfTheBudget) {
  const std::string sql = "SELECT region, COUNT(DISTINCT id) AS n, SUM(educ) AS s FROM people GROUP BY region";
  const Plan with = allocate(testing::bound({{sql, asked}}).value()).value();
  const Plan without = allocate(testing::bound({{sql, ""}}).value()).value();
  const auto& noise = with.statistics[0].noise;
  ASSERT_EQ(noise.size(), 3U);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_GE(noise[i].accuracy, without.statistics[0].noise[i].accuracy);
    EXPECT_LE(noise[i].accuracy, 1.1 * without.statistics[0].noise[i].accuracy) << i;
  }
  EXPECT_NEAR(noise[2].accuracy / noise[0].accuracy, 10, 2.5);
  EXPECT_GT(noise[2].share, 0);
  EXPECT_LT(noise[2].share, 0.06);
}

// Private keys are chosen as before, however loose the count of moved rows may be.
TEST(ClampedShare, DoesNotLoosenTheChoiceOfKeys) {
  const std::string sql = "SELECT city, SUM(educ) AS s FROM people GROUP BY city";
  const std::string targets = "max_rows = 2\naccuracy = { s = 1000";
  const Plan with = allocate(testing::bound({{sql, asked + targets + ", s_clamped = 100000 }"}}).value()).value();
  const Plan without = allocate(testing::bound({{sql, targets + " }"}}).value()).value();
  EXPECT_EQ(with.statistics[0].noise[0].accuracy, without.statistics[0].noise[0].accuracy);
}

}  // namespace
}  // namespace vernier::plan
