#include <cmath>

#include <gtest/gtest.h>

#include "support/bound_studies.hpp"
#include "vernier/plan/check_inference.hpp"
#include "vernier/plan/moments.hpp"
#include "vernier/plan/plan.hpp"
#include "vernier/plan/population_accuracy.hpp"
#include "vernier/plan/sql.hpp"

namespace vernier::plan {
namespace {

using testing::bound;
using testing::people_table;
using testing::said;
using testing::statistic_of;

const std::string mean = "SELECT AVG(educ) AS a FROM people";
const std::string population = "covers = \"population\"";

// Weights up to 50, in steps of 0.5.
std::string weighted_people(const std::string& column = "w") {
  std::string table = people_table + "w = { type = \"real\", lower = 0.5, upper = 50, granularity = 0.5 }\n";
  return table.replace(table.find("row_limit"), 0, "weight = \"" + column + "\"\n");
}

BoundStatistic weighted_mean(const std::string& sql = mean) { return statistic_of(sql, population, weighted_people()); }

TEST(Weighted, IsWhatAsksForThePopulationOfATableWithWeights) {
  EXPECT_EQ(weighted_mean().weighted, (SurveyWeight{"w", 0.5, 100}));
  EXPECT_EQ(statistic_of(mean, population, weighted_people("educ")).weighted, (SurveyWeight{"educ", 1, 16}));
  EXPECT_FALSE(statistic_of(mean, "", weighted_people()).weighted);
  EXPECT_FALSE(statistic_of(mean, population).weighted);
}

// Rows of a statistic that is about the rows count as they are.
TEST(Weighted, LeavesStatisticsOfTheRowsAsTheyWere) {
  const std::string sql =
      "SELECT region, COUNT(*) AS n, AVG(educ) AS a, VARIANCE(debt) AS v FROM people GROUP BY region";
  const auto text = [&](const std::string& table) {
    return render(statistic_of(sql, "", table), BoundingForm::window).text;
  };
  EXPECT_EQ(text(weighted_people()), text(people_table));
}

TEST(Weighted, MovesByTheHeaviestRow) {
  const BoundStatistic with = weighted_mean(), without = statistic_of(mean, population);
  const Measurement& one = with.measurements[0];
  EXPECT_EQ(one.kind, MeasurementKind::moments);
  EXPECT_EQ(without.measurements[0].sensitivity.shift, 15 * without.measurements[0].fineness);
  EXPECT_EQ(one.sensitivity.shift, 100 * 15 * one.fineness);
  EXPECT_EQ(one.sensitivity.coordinates, 1);
  EXPECT_EQ(one.greatest, 1'000'000 * one.sensitivity.shift);
  EXPECT_EQ(design_of(with).greatest_weight, 100);
  EXPECT_EQ(design_of(without).greatest_weight, 1);
}

TEST(Weighted, OfAShareIsTheMeanOfItsTwoValues) {
  const auto share = weighted_mean("SELECT AVG(CASE WHEN educ > 9 THEN 1 ELSE 0 END) AS p FROM people");
  EXPECT_EQ(share.measurements[0].kind, MeasurementKind::moments);
  EXPECT_EQ(share.measurements[0].steps, 1);
}

TEST(Weighted, SharesItsNodeSums) {
  const auto both = weighted_mean("SELECT AVG(educ) AS a, STDDEV(educ) AS s FROM people");
  EXPECT_EQ(both.measurements[1].source, std::optional<std::size_t>(0));
  EXPECT_EQ(both.tallies.size(), 3U);
}

TEST(Weighted, IsRefusedWhereNothingCanBeSaid) {
  const auto expect = [](const std::string& sql, const std::string& more, const std::string& words) {
    const std::string sentence = said(sql, population + "\n" + more, weighted_people());
    EXPECT_NE(sentence.find(words), std::string::npos) << sql << ": " << sentence;
  };
  const std::string size =
      "weighted by 'w' tell means of the population and not its size; ask for AVG, or leave covers";
  expect("SELECT COUNT(*) AS n FROM people", "", size);
  expect("SELECT SUM(educ) AS s FROM people", "", size);
  expect("SELECT COUNT(educ) AS n, AVG(educ) AS a FROM people", "", size);
  expect(mean, "clamped_share = true", size);
  expect("SELECT MEDIAN(educ) AS m FROM people", "", "weighted by 'w'; ask for AVG of a comparison");
  expect("SELECT VARIANCE(educ) AS v FROM people", "guaranteed = true", "leave guaranteed out");
  expect(mean, "max_rows = 2", "write max_rows = 1");
}

// Whatever way there is to a mean: one that knows nothing of weights is never published as a weighted one.
TEST(Weighted, IsRefusedWhereItWasMeasuredWithoutWeights) {
  BoundStatistic statistic = weighted_mean();
  EXPECT_TRUE(check_inference(statistic));
  statistic.measurements[0].kind = MeasurementKind::mean;
  const auto checked = check_inference(statistic);
  ASSERT_FALSE(checked);
  EXPECT_NE(checked.error().sentence.find("rows that are not weighted by 'w'"), std::string::npos);
}

TEST(Weighted, IsRefusedWhereSumsCouldLeaveSixtyFourBits) {
  std::string table = weighted_people();
  table.replace(table.find("upper = 50, granularity = 0.5"), 29, "upper = 65536, granularity = 5.9604644775390625e-08");
  EXPECT_NE(
      said(mean, population, table)
          .find("the column 'a' could leave 64 bits, with up to 1000000 rows of up to 15 steps, each with a weight "
                "of up to 1099511627776 steps; lower row_limit of the table 'people', take narrower bounds, or a "
                "coarser granularity of 'w'"),
      std::string::npos)
      << said(mean, population, table);
  EXPECT_EQ(said(mean, "", table), "");
}

double accuracy_of(const std::string& table, const std::string& more = population) {
  return allocate(bound({{mean, more}}, table).value()).value().statistics[0].noise[0].accuracy;
}

// As of weights that lie evenly between 0 and the greatest: variance times 4/3, and half of the heaviest on average,
// which doubles the noise.
TEST(Weighted, IsPlannedForWeightsThatLieEvenly) {
  const double sampling = 1.96 * 15 / 4 / std::sqrt(1000.0);
  const double noise = std::sqrt(std::pow(accuracy_of(people_table), 2) - sampling * sampling);
  const double found = accuracy_of(weighted_people());
  EXPECT_NEAR(found, std::hypot(std::sqrt(4.0 / 3) * sampling, 2 * noise), 0.03 * found);
  EXPECT_LE(accuracy_of(weighted_people(), population + "\naccuracy = { a = 0.4 }"), 0.4);
  EXPECT_GT(accuracy_of(weighted_people(), population + "\naccuracy = { a = 0.4 }"), 0.39);
}

}  // namespace
}  // namespace vernier::plan
