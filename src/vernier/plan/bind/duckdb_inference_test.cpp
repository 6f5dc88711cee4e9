#include <gtest/gtest.h>

#include "support/bound_studies.hpp"
#include "vernier/plan/plan.hpp"
#include "vernier/plan/statistic/statistic.hpp"

namespace vernier::plan {
namespace {

using testing::bound;
using testing::people_table;
using testing::said;
using testing::statistic_of;

const std::string counts = "SELECT region, COUNT(*) AS n FROM people GROUP BY region";
const std::string population = "covers = \"population\"";

std::string sampled_people() {
  std::string table = people_table;
  return table.replace(table.find("row_limit"), 0, "sampled = 0.01\n");
}

TEST(Inference, ReachesTheBoundStatistic) {
  EXPECT_EQ(statistic_of(counts).inference, query::Inference{});
  EXPECT_TRUE(statistic_of(counts, "guaranteed = true").inference.is_guaranteed);
  EXPECT_TRUE(statistic_of(counts, "simultaneous = true").inference.is_simultaneous);
}

TEST(Inference, OfAPopulationMeasuresSquaresToo) {
  const auto kind = [](const std::string& sql, std::size_t place = 0) {
    return statistic_of(sql, population, sampled_people()).measurements[place].kind;
  };
  EXPECT_EQ(statistic_of("SELECT AVG(educ) AS a FROM people").measurements[0].kind, Mean::kind);
  EXPECT_EQ(kind("SELECT AVG(educ) AS a FROM people"), Moments::kind);
  EXPECT_EQ(kind("SELECT SUM(educ) AS s FROM people"), Moments::kind);
  // The part of a unit with several rows is no 0 or 1; a row is.
  const std::string share = "SELECT AVG(CASE WHEN educ > 9 THEN 1 ELSE 0 END) AS p FROM people";
  EXPECT_EQ(kind(share), Moments::kind);
  std::string of_rows = sampled_people();
  of_rows.replace(of_rows.find("unit = \"id\""), 11, "unit = \"row\"");
  EXPECT_EQ(statistic_of(share, population, of_rows).measurements[0].kind, Mean::kind);
  EXPECT_EQ(kind("SELECT AVG(educ) AS a, COUNT(educ) AS n FROM people", 1), Count::kind);
  const auto shared = statistic_of("SELECT AVG(educ) AS a, SUM(educ) AS s FROM people", population, sampled_people());
  EXPECT_EQ(shared.measurements[1].source, std::optional<std::size_t>(0));
}

TEST(Inference, OfAPopulationIsRefusedWhereNothingCanBeSaid) {
  const auto expect = [](const std::string& sql, const std::string& more, const std::string& words) {
    const std::string sentence = said(sql, population + "\n" + more);
    EXPECT_NE(sentence.find(words), std::string::npos) << sql << ": " << sentence;
    EXPECT_TRUE(sentence.starts_with("work/study.toml:3:1: the statistic 's0' asks for covers")) << sentence;
  };
  expect("SELECT AVG(educ) AS a FROM people", "max_rows = 2", "no independent draws; write max_rows = 1");
  expect(counts, "", "column 'n' is a count or a sum, for which the table 'people'");
  expect("SELECT SUM(educ) AS s FROM people", "", "sampled = 0.01");
  expect("SELECT MAX(educ) AS m FROM people", "", "'m' is a least or greatest value, of which a sample tells nothing");
  expect("SELECT COUNT(DISTINCT city) AS c FROM people", "", "'c' counts values that differ");
  expect("SELECT city, COUNT(*) AS n FROM people GROUP BY city", "", "by which private keys are chosen");
  expect("SELECT VARIANCE(educ) AS v FROM people", "guaranteed = true", "leave guaranteed out");
}

TEST(Inference, OfAllGroupsAtOnceIsRefusedWhereTheirNumberIsNeededBefore) {
  const std::string cities = "SELECT city, AVG(educ) AS a FROM people GROUP BY city";
  EXPECT_EQ(said(cities, "simultaneous = true"), "");
  EXPECT_NE(said(cities, "simultaneous = true\naccuracy = { a = 1 }").find("'a' cannot be promised an accuracy"),
            std::string::npos);
  EXPECT_NE(said("SELECT city, MEDIAN(educ) AS m FROM people GROUP BY city", "simultaneous = true")
                .find("'m' is a quantile, whose ends are chosen for a known number of groups"),
            std::string::npos);
}

TEST(Inference, IsRefusedWhereItIsNotOffered) {
  EXPECT_NE(said(counts, "clamped_share = true").find("asks for clamped_share"), std::string::npos);
}

double accuracy_of(const std::string& sql, const std::string& more) {
  const Result<BoundStudy> study = bound({{sql, more}}, sampled_people());
  EXPECT_TRUE(study) << study.error().sentence();
  return allocate(study.value()).value().statistics[0].noise[0].accuracy;
}

TEST(Inference, OfAPopulationIsPlannedWithTheErrorOfSampling) {
  const std::string mean = "SELECT AVG(educ) AS a FROM people";
  const double of_rows = accuracy_of(mean, ""), of_population = accuracy_of(mean, population);
  const double sampling = 1.96 * 15 / 4 / std::sqrt(1000.0) * std::sqrt(0.99);
  EXPECT_GT(of_population, sampling);
  EXPECT_LT(of_population, 1.2 * sampling + 1.5 * of_rows);
  EXPECT_GT(accuracy_of("SELECT COUNT(*) AS n FROM people", population), 100 * 1.96 * std::sqrt(990.0));
  EXPECT_GT(accuracy_of(mean, population + "\ntypical_rows = 100"), 3 * sampling);
}

TEST(Inference, OfAPopulationMeetsTargetsThatSamplingAllows) {
  const std::string mean = "SELECT AVG(educ) AS a FROM people";
  EXPECT_LE(accuracy_of(mean, population + "\naccuracy = { a = 0.4 }"), 0.4);
  EXPECT_GT(accuracy_of(mean, population + "\naccuracy = { a = 0.4 }"), 0.39);
  const auto study = bound({{mean, population + "\naccuracy = { a = 0.2 }"}}, sampled_people());
  const auto plan = allocate(study.value());
  ASSERT_FALSE(plan);
  EXPECT_EQ(
      plan.error().sentence(),
      "\"a\" of \"s0\" cannot be known within that: 1000 rows, as a sample of the population, know it within "
      "about 0.232 even without noise; ask for a larger accuracy, or state typical_rows if groups have more rows");
}

// In ranks, for typical_rows.
TEST(Inference, OfAPopulationMeetsTargetsOfQuantilesThatSamplingAllows) {
  const auto accuracy = [](const std::string& more) {
    const auto study = bound({{"SELECT MEDIAN(educ) AS m FROM people", population + "\ntypical_rows = 1500\n" + more}});
    return study.and_then(allocate).map([](const Plan& plan) { return plan.statistics[0].noise[0].accuracy; });
  };
  EXPECT_LE(accuracy("accuracy = { m = 200 }").value(), 200);
  EXPECT_GT(accuracy("accuracy = { m = 200 }").value(), 199);
  const auto refused = accuracy("accuracy = { m = 60 }");
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().sentence().find("cannot be known within so few ranks; ask for at least"),
            std::string::npos);
}

}  // namespace
}  // namespace vernier::plan
