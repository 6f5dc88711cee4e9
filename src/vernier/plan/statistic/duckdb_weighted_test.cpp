#include <cmath>

#include <gtest/gtest.h>

#include "support/bound_studies.hpp"
#include "vernier/plan/allocate/accuracy.hpp"
#include "vernier/plan/bind/derived.hpp"
#include "vernier/plan/plan.hpp"
#include "vernier/plan/render/sql.hpp"
#include "vernier/plan/statistic/nodes.hpp"
#include "vernier/plan/statistic/statistic.hpp"

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
  EXPECT_EQ(one.kind, Moments::kind);
  EXPECT_EQ(without.measurements[0].sensitivity.shift, 15 * without.measurements[0].fineness);
  EXPECT_EQ(one.sensitivity.shift, 100 * 15 * one.fineness);
  EXPECT_EQ(one.sensitivity.coordinates, 1);
  EXPECT_EQ(one.greatest, 1'000'000 * one.sensitivity.shift);
  EXPECT_EQ(design_of(with).greatest_weight, 100);
  EXPECT_EQ(design_of(without).greatest_weight, 1);
}

TEST(Weighted, OfAShareIsTheMeanOfItsTwoValues) {
  const auto share = weighted_mean("SELECT AVG(CASE WHEN educ > 9 THEN 1 ELSE 0 END) AS p FROM people");
  EXPECT_EQ(share.measurements[0].kind, Moments::kind);
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
  expect("SELECT COUNT(DISTINCT id) AS n FROM people", "",
         "counts units, which are not weighted by 'w'; ask for COUNT(*)");
  expect("SELECT COUNT(DISTINCT educ) AS n FROM people", "", "counts values that differ");
  expect("SELECT city, COUNT(*) AS n FROM people GROUP BY city", "", "the number by which private keys are chosen");
  expect("SELECT COUNT(*) AS n FROM people", "guaranteed = true", "leave guaranteed out");
  expect("SELECT SUM(educ) AS n FROM people", "guaranteed = true", "leave guaranteed out");
  expect("SELECT MAX(educ) AS n FROM people", "", "of which a sample tells nothing");
  expect("SELECT VARIANCE(educ) AS v FROM people", "guaranteed = true", "leave guaranteed out");
  expect(mean, "max_rows = 2", "write max_rows = 1");
}

std::string below_one_member() {
  std::string table = weighted_people();
  return table.replace(table.find("upper = 50, granularity = 0.5"), 29, "upper = 0.75, granularity = 0.25");
}

// Of relative weights no total is made, and means are.
TEST(Weighted, OfTotalsIsRefusedWhereNoRowStandsForAMember) {
  for (const std::string asked : {"COUNT(*)", "COUNT(educ)", "SUM(educ)"}) {
    const std::string sentence = said("SELECT " + asked + " AS n FROM people", population, below_one_member());
    EXPECT_NE(sentence.find("but 'w' stays below 1; declare weights in members, or ask for AVG"), std::string::npos)
        << sentence;
  }
  EXPECT_EQ(said(mean, population, below_one_member()), "");
}

TEST(Weighted, OfCountsIsTheSumOfTheWeights) {
  const BoundStatistic counts =
      weighted_mean("SELECT region, COUNT(*) AS n, COUNT(educ) AS e FROM people GROUP BY region");
  for (const Measurement& one : counts.measurements) {
    EXPECT_EQ(one.kind, Count::kind);
    EXPECT_EQ(one.figure, Figure::count);
    EXPECT_EQ(one.sensitivity.shift, 100);
    EXPECT_EQ(one.sensitivity.coordinates, 1);
    EXPECT_EQ(one.greatest, 100'000'000);
    EXPECT_EQ(counts.tallies[one.tallies[0]].kind, TallyKind::sum);
    EXPECT_EQ(counts.arguments[counts.tallies[one.tallies[0]].argument].weight->total, 1);
  }
  EXPECT_EQ(counts.tallies.size(), 2U);
  EXPECT_EQ(statistic_of("SELECT COUNT(*) AS n FROM people", "", weighted_people()).measurements[0].sensitivity.shift,
            1);
}

TEST(Weighted, OfCountsOfMovedRowsIsTheSumOfTheirWeights) {
  const BoundStatistic with = statistic_of(mean, population + "\nclamped_share = true", weighted_people());
  EXPECT_EQ(with.measurements[1].kind, Count::kind);
  EXPECT_EQ(with.measurements[1].sensitivity.shift, 100);
  EXPECT_EQ(with.measurements[0].clamped_count, "a_clamped");
}

TEST(Weighted, OfASumSharesTheNodeSumsOfAMean) {
  const auto both = weighted_mean("SELECT SUM(debt) AS s, AVG(debt) AS a FROM people");
  EXPECT_EQ(both.measurements[0].kind, Moments::kind);
  EXPECT_EQ(both.measurements[1].source, std::optional<std::size_t>(0));
}

// Whatever way there is to a mean: one that knows nothing of weights is never published as a weighted one.
TEST(Weighted, IsRefusedWhereItWasMeasuredWithoutWeights) {
  BoundStatistic statistic = weighted_mean();
  EXPECT_TRUE(check_inference(statistic));
  statistic.measurements[0].kind = Mean::kind;
  const auto checked = check_inference(statistic);
  ASSERT_FALSE(checked);
  EXPECT_NE(checked.error().sentence().find("rows that are not weighted by 'w'"), std::string::npos);
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
  std::string far = people_table + "x = { type = \"integer\", lower = 1000000000000, upper = 1000000000001 }\n" +
                    "w = { type = \"integer\", lower = 0, upper = 50 }\n";
  far.replace(far.find("row_limit"), 0, "weight = \"w\"\n");
  EXPECT_EQ(said("SELECT AVG(x) AS a FROM people", population, far), "");
  EXPECT_NE(said("SELECT SUM(x) AS a FROM people", population, far).find("each with a weight of up to 50 steps"),
            std::string::npos);
}

TEST(Weighted, OfCountsIsRefusedWhereWeightsCouldLeaveSixtyFourBits) {
  std::string table = weighted_people();
  table.replace(table.find("upper = 50, granularity = 0.5"), 29,
                "upper = 4194304, granularity = 2.384185791015625e-07");
  const std::string sentence = said("SELECT COUNT(*) AS n FROM people", population, table);
  EXPECT_NE(sentence.find("the column 'n' could leave 64 bits"), std::string::npos) << sentence;
}

TEST(Weighted, OfQuantilesMovesByTheHeaviestRow) {
  const auto quantile = [](const std::string& asked) {
    return weighted_mean("SELECT " + asked + " AS q FROM people").measurements[0];
  };
  EXPECT_EQ(quantile("MEDIAN(educ)").sensitivity.shift, 100 * 2);
  EXPECT_EQ(quantile("QUANTILE(educ, 0.9)").sensitivity.shift, 900 * 2);
  EXPECT_EQ(quantile("QUANTILE(educ, 0.25)").sensitivity.shift, 300 * 2);
  EXPECT_EQ(quantile("QUANTILE(educ, 0.25)").sensitivity.coordinates, 1);
  const auto two = weighted_mean("SELECT MEDIAN(educ) AS m, QUANTILE(educ, 0.9) AS q FROM people");
  EXPECT_EQ(two.histograms, (std::vector<Histogram>{{0, 0, 1}}));
  EXPECT_EQ(two.arguments[1].steps.upper, 100);
  EXPECT_NE(
      canonical(
          allocate(bound({{"SELECT MEDIAN(educ) AS m FROM people", population}}, weighted_people()).value()).value())
          .find(R"({"argument":0,"halvings":0,"weight":1})"),
      std::string::npos);
}

TEST(Weighted, OfQuantilesIsRefusedWhereWeightsCouldLeaveSixtyFourBits) {
  std::string table = weighted_people();
  table.replace(table.find("upper = 50, granularity = 0.5"), 29, "upper = 4096, granularity = 0.0009765625");
  EXPECT_EQ(said("SELECT MEDIAN(educ) AS q FROM people", population, table), "");
  const std::string sentence = said("SELECT QUANTILE(educ, 0.999999) AS q FROM people", population, table);
  EXPECT_NE(sentence.find("the column 'q' could leave 64 bits, with up to 1000000 rows, each with a weight of up to "
                          "4194304 steps"),
            std::string::npos)
      << sentence;
}

// In weights: twice as many as where weights of the same steps stand for half as much. For 1,000 typical rows.
TEST(Weighted, OfQuantilesStatesItsAccuracyInWeights) {
  const auto ranks = [](const std::string& steps) {
    std::string table = weighted_people();
    table.replace(table.find("upper = 50, granularity = 0.5"), 29, steps);
    const Plan plan = allocate(bound({{"SELECT MEDIAN(educ) AS m FROM people", population}}, table).value()).value();
    return plan.statistics[0].noise[0].accuracy;
  };
  EXPECT_EQ(ranks("upper = 50, granularity = 0.5"), 2 * ranks("upper = 25, granularity = 0.25"));
  EXPECT_GT(ranks("upper = 50, granularity = 0.5"), 2 * 50 * 1.96 * std::sqrt(500) / 2);
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

double total_accuracy(const std::string& asked, const std::string& more = "") {
  const std::string sql = "SELECT " + asked + " AS n FROM people";
  return allocate(bound({{sql, population + "\n" + more}}, weighted_people()).value())
      .value()
      .statistics[0]
      .noise[0]
      .accuracy;
}

// In members: 1,000 rows of up to 50 of them have a sampling error of sqrt(1000 * 50 * 49 / 2) times the value.
TEST(Weighted, OfTotalsIsPlannedInMembers) {
  const double sampling = 1.96 * std::sqrt(1000.0 * 50 * 49 / 2);
  const double noise = 50 * std::log(1 / 0.05);  // of the whole budget
  EXPECT_NEAR(total_accuracy("COUNT(*)"), std::hypot(sampling, noise), 0.01 * sampling);
  EXPECT_GT(total_accuracy("SUM(educ)"), 8 * sampling);
  EXPECT_LT(total_accuracy("SUM(educ)"), 8 * std::hypot(sampling, 4 * noise));
  for (const std::string asked : {"COUNT(*)", "SUM(educ)"}) {
    const double wanted = asked == "COUNT(*)" ? 2300 : 18'500;
    const double found = total_accuracy(asked, "accuracy = { n = " + std::to_string(wanted) + " }");
    EXPECT_LE(found, wanted);
    EXPECT_GT(found, 0.98 * wanted);
  }
  const auto study =
      bound({{"SELECT COUNT(*) AS n FROM people", population + "\naccuracy = { n = 2000 }"}}, weighted_people());
  const auto planned = allocate(study.value());
  ASSERT_FALSE(planned);
  EXPECT_NE(planned.error().sentence().find("even without noise"), std::string::npos) << planned.error().sentence();
}

}  // namespace
}  // namespace vernier::plan
