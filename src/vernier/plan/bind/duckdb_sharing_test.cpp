#include <gtest/gtest.h>

#include "support/bound_studies.hpp"
#include "vernier/plan/bind/sharing.hpp"
#include "vernier/plan/plan.hpp"

namespace vernier::plan {
namespace {

using testing::Ask;
using testing::bound;
using testing::people_table;

std::string of_rows(const std::string& more = "") {
  std::string table = people_table;
  return table.replace(table.find("unit = \"id\""), 11, "unit = \"row\"\n" + more);
}

Plan plan_of(const std::vector<Ask>& asks, const std::string& tables = people_table) {
  const Result<BoundStudy> study = bound(asks, tables);
  EXPECT_TRUE(study) << study.error().sentence();
  const Result<Plan> plan = allocate(*study);
  EXPECT_TRUE(plan) << plan.error().sentence();
  return plan.value();
}

Ask within(const std::string& sql, const std::string& accuracy) { return {sql, "accuracy = { " + accuracy + " }"}; }

const std::string count = "SELECT COUNT(*) AS n FROM people";

TEST(Sharing, PaysTheSameQuestionOnceAndTheStricterTargetDecides) {
  const double once = plan_of({within(count, "n = 20")}).epsilon;
  const Plan twice = plan_of({within(count, "n = 50"), within(count, "n = 20")});
  EXPECT_EQ(twice.epsilon, once);
  EXPECT_EQ(twice.events.size(), 1U);
  EXPECT_EQ(twice.statistics[0].noise[0].accuracy, 20);
  EXPECT_EQ(twice.statistics[1].noise[0].accuracy, 20);
  EXPECT_EQ(twice.statistics[0].noise[0].share, 1);
  EXPECT_EQ(twice.statistics[1].noise[0].share, 0);
  ASSERT_TRUE(twice.study.statistics[1].measurements[0].copied);
  EXPECT_EQ(twice.study.statistics[1].measurements[0].copied->name, "s0");
}

TEST(Sharing, FindsOneColumnAmongOthersByGroups) {
  const std::string by = " FROM people GROUP BY region";
  const Plan plan = plan_of({within("SELECT region, COUNT(*) AS n, SUM(educ) AS s" + by, "n = 20, s = 400"),
                             within("SELECT region AS r, AVG(debt) AS a, SUM(educ) AS t" + by, "a = 1, t = 300")});
  EXPECT_EQ(plan.events.size(), 3U);
  EXPECT_LE(plan.statistics[0].noise[1].accuracy, 300);
}

TEST(Sharing, TakesRowsForUnitsWhereOneRowOfAUnitCounts) {
  const std::string both = "SELECT COUNT(*) AS n, COUNT(DISTINCT id) AS u FROM people";
  EXPECT_EQ(plan_of({within(both, "n = 20, u = 30")}).events.size(), 1U);
  EXPECT_EQ(plan_of({{both, "accuracy = { n = 20, u = 30 }\nmax_rows = 2"}}).events.size(), 2U);
}

// Ends that are chosen for a part of a formula are those of another level.
TEST(Sharing, DrawsQuantilesOfTwoLevelsApart) {
  const Ask alone{"SELECT MEDIAN(income) AS m FROM people", ""};
  const Ask part{"SELECT MEDIAN(income) - AVG(income) AS skew FROM people", ""};
  EXPECT_EQ(plan_of({alone, part}).events.size(), 3U);
  EXPECT_EQ(plan_of({alone, {"SELECT MEDIAN(income) AS m, AVG(income) AS a FROM people", ""}}).events.size(), 2U);
  EXPECT_EQ(plan_of({part, part}).events.size(), 2U);
  EXPECT_EQ(plan_of({alone, {alone.sql, "alpha = 0.01"}}).events.size(), 2U);
}

TEST(Sharing, DrawsTreesOfTwoLevelsApart) {
  const std::string some = "QUANTILE(income, 0.2) AS a, QUANTILE(income, 0.4) AS b, QUANTILE(income, 0.6) AS c, ";
  const std::string last = "QUANTILE(income, 0.8)";
  const Ask alone{"SELECT " + some + last + " AS d FROM people", ""};
  const Ask part{"SELECT " + some + last + " - QUANTILE(income, 0.2) AS d FROM people", ""};
  BoundStudy same = bound({alone, alone}).value(), study = bound({alone, part}).value();
  bind_sharing(same);
  bind_sharing(study);
  EXPECT_TRUE(same.statistics[1].measurements[0].copied);
  for (const Measurement& one : study.statistics[1].measurements) EXPECT_FALSE(one.copied);
}

// What is denoised needs the noise that was planned: that of a number by which groups were chosen is another, given
// that they are published.
TEST(Sharing, GivesNoiseOfItsOwnToWhatIsMadeOfItsLaw) {
  const std::string sql = "SELECT city, COUNT(DISTINCT id) AS u, COUNT(*) AS n FROM people GROUP BY city";
  EXPECT_EQ(plan_of({{sql, ""}}).events.size(), 1U);
  EXPECT_EQ(plan_of({{sql, "denoise = \"least-risk\""}}).events.size(), 2U);
}

TEST(Sharing, KeepsApartWhatDiffersInAnything) {
  const std::string base = "SELECT SUM(educ) AS s FROM people";
  for (const Ask& other : std::vector<Ask>{{"SELECT SUM(educ + 1) AS s FROM people", ""},
                                           {"SELECT SUM(educ) AS s FROM people WHERE debt > 0", ""},
                                           {"SELECT region, SUM(educ) AS s FROM people GROUP BY region", ""},
                                           {"SELECT SUM(CLAMP(educ, 1, 12)) AS s FROM people", ""},
                                           {base, "max_rows = 2"},
                                           {"SELECT AVG(educ) AS s FROM people", ""}}) {
    EXPECT_EQ(plan_of({{base, ""}, other}).events.size(), 2U) << other.sql;
  }
  EXPECT_EQ(plan_of({{base, ""}, {base, ""}}).events.size(), 1U);
}

// Five sums by town are those of one statement: their keys are chosen once.
TEST(Sharing, ChoosesPrivateKeysOnceForStatementsWithTheSameRows) {
  const std::string by = " FROM people GROUP BY city";
  const double together =
      plan_of({within("SELECT city, SUM(educ) AS a, SUM(debt) AS b" + by, "a = 400, b = 1000")}).epsilon;
  const Plan apart = plan_of(
      {within("SELECT city, SUM(educ) AS a" + by, "a = 400"), within("SELECT city, SUM(debt) AS b" + by, "b = 1000")});
  EXPECT_EQ(apart.events.size(), 3U);
  EXPECT_NEAR(apart.epsilon, together, 1e-3 * together + 0.01);
  EXPECT_EQ(apart.statistics[0].keys->threshold, apart.statistics[1].keys->threshold);
}

std::vector<Ask> counts_where(const std::vector<std::string>& conditions) {
  std::vector<Ask> asks;
  for (const std::string& condition : conditions) asks.push_back(within(count + " WHERE " + condition, "n = 20"));
  return asks;
}

const std::vector<std::string> exclusive = {"educ = 1", "educ = 2", "educ BETWEEN 3 AND 5", "educ > 5", "educ IS NULL"};

TEST(Sharing, ChargesRowsThatExcludeEachOtherOnce) {
  const double one = plan_of(counts_where({"educ = 1"}), of_rows()).epsilon;
  const Plan plan = plan_of(counts_where(exclusive), of_rows());
  EXPECT_EQ(plan.epsilon, one);
  EXPECT_EQ(plan.events.size(), 1U);
  for (const BoundStatistic& statistic : plan.study.statistics) {
    EXPECT_EQ(statistic.measurements[0].parallel, 1);
    EXPECT_FALSE(statistic.within.empty());
  }
}

// A unit with several rows is in several of them; filters that overlap are paid for by whoever is in both.
TEST(Sharing, ChargesAllWhereAUnitCanBeInSeveral) {
  EXPECT_EQ(plan_of(counts_where(exclusive)).events.size(), exclusive.size());
  EXPECT_EQ(plan_of(counts_where({"educ <= 3", "educ >= 3"}), of_rows()).events.size(), 2U);
  EXPECT_EQ(plan_of(counts_where({"educ = 1", "debt = 2"}), of_rows()).events.size(), 2U);
  EXPECT_EQ(plan_of(counts_where({"educ = 1 OR debt = 2", "educ = 2"}), of_rows()).events.size(), 2U);
}

// One filter excludes two that have rows in common: it is charged with one of them.
TEST(Sharing, ChargesWhatOverlapsApart) {
  const Plan plan = plan_of(counts_where({"educ = 1", "educ > 5", "educ > 6"}), of_rows());
  EXPECT_EQ(plan.events.size(), 2U);
  EXPECT_EQ(plan.study.statistics[2].measurements[0].parallel, std::nullopt);
}

// A row that is replaced leaves one filter and enters another.
TEST(Sharing, ChargesTwiceUnderReplace) {
  const std::string replace = of_rows("neighbours = \"replace\"\n");
  const Plan plan = plan_of(counts_where(exclusive), replace);
  ASSERT_EQ(plan.events.size(), 1U);
  const Plan two = plan_of(counts_where({"educ = 1", "educ = 2"}), replace);
  EXPECT_EQ(two.events.size(), 2U);
  EXPECT_NEAR(plan.epsilon, two.epsilon, 1e-4 * two.epsilon);
}

TEST(Sharing, GivesAllTheNoiseOfTheStrictestTarget) {
  const Plan plan =
      plan_of({within(count + " WHERE educ = 1", "n = 40"), within(count + " WHERE educ = 2", "n = 10")}, of_rows());
  EXPECT_EQ(plan.events.size(), 1U);
  EXPECT_EQ(plan.statistics[0].noise[0].accuracy, 10);
  EXPECT_EQ(plan.statistics[1].noise[0].accuracy, 10);
}

// The same question at another level costs nothing, and takes nothing from those that were there: whole steps are those
// of all that has the noise.
TEST(Sharing, LeavesTheMarginsOfWhatItCopies) {
  const std::string by = "SELECT region, COUNT(*) AS n FROM people GROUP BY region";
  for (const int weight : {1, 2, 3, 5, 8, 13, 21, 34}) {
    const Ask sum{"SELECT SUM(educ) AS s FROM people", "weight = " + std::to_string(weight)};
    const Ask strict{by, "simultaneous = true"};
    const Plan before = plan_of({strict, sum}), after = plan_of({{by, ""}, strict, sum});
    EXPECT_EQ(before.events.size(), after.events.size());
    EXPECT_LE(after.statistics[1].noise[0].accuracy, before.statistics[0].noise[0].accuracy) << weight;
  }
}

TEST(Sharing, OfAPlanThatIsMadeAgainIsTheSame) {
  const Plan plan = plan_of(counts_where(exclusive), of_rows());
  EXPECT_EQ(canonical(allocate(plan.study).value()), canonical(plan));
}

}  // namespace
}  // namespace vernier::plan
