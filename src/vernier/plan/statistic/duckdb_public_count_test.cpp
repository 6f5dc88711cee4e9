#include <gtest/gtest.h>

#include "support/bound_studies.hpp"
#include "vernier/plan/plan.hpp"
#include "vernier/plan/statistic/public_count.hpp"
#include "vernier/plan/statistic/statistic.hpp"

namespace vernier::plan {
namespace {

using testing::people_table;
using testing::statistic_of;

std::string changed(std::string text, const std::string& old, const std::string& now) {
  const std::size_t place = text.find(old);
  EXPECT_NE(place, std::string::npos) << old;
  return text.replace(place, old.size(), now);
}

// Rows are units, their number is public, educ is never missing.
std::string counted_people(const std::string& count = "public_count = true") {
  const std::string rows = changed(people_table, "unit = \"id\"", "unit = \"row\"\nneighbours = \"replace\"\n" + count);
  return changed(rows, "upper = 16", "upper = 16, never_null = true");
}

Measurement measured(const std::string& sql, const std::string& more = "") {
  return statistic_of(sql, more, counted_people()).measurements[0];
}

const std::string mean = "SELECT AVG(educ) AS a FROM people";

TEST(PublicCountMean, PaysForOneSumAlone) {
  const Measurement one = measured(mean);
  EXPECT_EQ(one.kind, Mean::public_kind);
  EXPECT_EQ(one.figure, Figure::mean);
  EXPECT_EQ(one.width, 2U);
  EXPECT_EQ(public_integers(one.kind), 1U);
  EXPECT_EQ(one.sensitivity.shift, 15);  // the whole range, since a row is replaced
  EXPECT_EQ(one.sensitivity.coordinates, 1);
  const Measurement noisy = statistic_of(mean, "", counted_people("")).measurements[0];
  EXPECT_EQ(noisy.kind, Mean::kind);
  EXPECT_EQ(noisy.sensitivity.coordinates, 2);
}

TEST(PublicCountMean, OfAPopulationHasItsSquares) {
  const Measurement one = measured(mean, "covers = \"population\"");
  EXPECT_EQ(one.kind, Moments::public_kind);
  EXPECT_EQ(one.width, 4U);
  EXPECT_EQ(one.sensitivity.shift, one.steps * one.fineness);
  EXPECT_EQ(one.sensitivity.coordinates, 2);
}

TEST(PublicCountMean, LeavesSharesOfAPopulationTheirProvenInterval) {
  const std::string share = "SELECT AVG(CASE WHEN educ > 9 THEN 1 ELSE 0 END) AS a FROM people";
  EXPECT_EQ(measured(share, "covers = \"population\"").kind, Mean::kind);
  EXPECT_EQ(measured(share).kind, Mean::public_kind);
}

TEST(PublicCountMean, IsOfAllRowsAlone) {
  const auto is_public = [](const std::string& sql) { return has_public_count(measured(sql).kind); };
  EXPECT_TRUE(is_public(mean));
  EXPECT_FALSE(is_public("SELECT AVG(educ) AS a FROM people WHERE educ > 3"));
  EXPECT_FALSE(is_public("SELECT AVG(educ) AS a FROM people WHERE TRUE"));
  EXPECT_FALSE(is_public("SELECT region, AVG(educ) AS a FROM people GROUP BY region"));
  EXPECT_FALSE(is_public("SELECT COUNT(*) AS n FROM people"));
  EXPECT_FALSE(is_public("SELECT SUM(educ) AS s FROM people"));
  EXPECT_FALSE(is_public("SELECT AVG(educ) AS a, SUM(educ) AS s FROM people"));
  EXPECT_FALSE(is_public("SELECT AVG(educ) AS a, COUNT(educ) AS n FROM people"));
  EXPECT_FALSE(is_public("SELECT AVG(educ) AS a, STDDEV(educ) AS s FROM people"));
  EXPECT_TRUE(is_public("SELECT AVG(educ) AS a, AVG(debt) AS d, COUNT(*) AS n FROM people"));
}

TEST(PublicCountMean, IsNotOfAView) {
  const query::Catalog catalog = testing::catalog_of(testing::catalog_head + counted_people() +
                                                     "[views.learned]\ntable = \"people\"\nwhere = \"educ > 3\"\n");
  const auto bound = testing::bound_to(catalog, {{"SELECT AVG(educ) AS a FROM learned", ""}});
  ASSERT_TRUE(bound);
  EXPECT_EQ(bound->statistics[0].measurements[0].kind, Mean::kind);
}

TEST(PublicCountMean, IsOfWhatIsNeverMissing) {
  EXPECT_EQ(measured("SELECT AVG(debt) AS a FROM people").kind, Mean::kind);
  EXPECT_EQ(measured("SELECT AVG(educ + 1) AS a FROM people").kind, Mean::kind);
  EXPECT_EQ(measured("SELECT AVG(COALESCE(debt, 0)) AS a FROM people").kind, Mean::public_kind);
  EXPECT_EQ(measured("SELECT AVG(CASE WHEN educ > 9 THEN 1 ELSE 0 END) AS a FROM people").kind, Mean::public_kind);
}

// A declaration is made true: what is missing in spite of it counts as the lower bound.
TEST(PublicCountMean, HasAValueInEveryRow) {
  const BoundStatistic statistic = statistic_of(mean, "", counted_people());
  const query::Expression& x = statistic.arguments[0].expression;
  EXPECT_FALSE(x.nullable());
  EXPECT_EQ(query::canonical(x), "COALESCE(\"educ\", 1)");
}

TEST(PublicCountMean, IsMeasuredOnceUnderTwoNames) {
  const BoundStatistic statistic =
      statistic_of("SELECT AVG(educ) AS a, AVG(educ) AS b FROM people", "", counted_people());
  EXPECT_EQ(statistic.measurements.size(), 1U);
  EXPECT_EQ(statistic.query.formulas.size(), 1U);
}

// The plan has no rows, and tells the accuracy for typical_rows of them.
TEST(PublicCountMean, IsForecastForTypicalRows) {
  const auto accuracy = [](const std::string& more, const std::string& table) {
    const auto study = testing::bound_to(testing::catalog_of(testing::catalog_head + table), {{mean, more}});
    return allocate(study.value())->statistics[0].noise[0].accuracy;
  };
  const double of_thousand = accuracy("typical_rows = 1000", counted_people());
  EXPECT_NEAR(accuracy("typical_rows = 2000", counted_people()), of_thousand / 2, of_thousand / 100);
  EXPECT_LT(of_thousand, 0.8 * accuracy("typical_rows = 1000", counted_people("")));
}

TEST(PublicCountMean, SaysSoInThePlanAlone) {
  const auto text = [](const std::string& table) {
    const auto study = testing::bound_to(testing::catalog_of(testing::catalog_head + table), {{mean, ""}});
    return canonical(allocate(study.value()).value());
  };
  EXPECT_NE(text(counted_people()).find(R"("kind":"public-count-mean")"), std::string::npos);
  EXPECT_EQ(text(counted_people("")).find("public-count"), std::string::npos);
}

}  // namespace
}  // namespace vernier::plan
