#include <gtest/gtest.h>

#include "support/bound_studies.hpp"
#include "vernier/plan/plan.hpp"
#include "vernier/plan/statistic/statistic.hpp"

namespace vernier::plan {
namespace {

using testing::statistic_of;

TEST(Distinct, CountsMoveByMaxRowsAndUnitsByOne) {
  const BoundStatistic bound = statistic_of(
      "SELECT region, COUNT(DISTINCT city) AS cities, COUNT(DISTINCT id) AS people FROM people GROUP BY region",
      "max_groups = 2\nmax_rows = 5");
  ASSERT_EQ(bound.measurements.size(), 2U);
  const Measurement &cities = bound.measurements[0], &people = bound.measurements[1];
  EXPECT_EQ(cities.kind, Distinct::kind);
  EXPECT_EQ(cities.sensitivity.shift, 5);
  EXPECT_EQ(cities.sensitivity.coordinates, 2);
  EXPECT_EQ(cities.greatest, 1'000'000);
  EXPECT_EQ(people.kind, Units::kind);
  EXPECT_EQ(people.sensitivity.shift, 1);
  EXPECT_EQ(people.sensitivity.coordinates, 2);
  EXPECT_EQ(cities.figure, Figure::count);
  EXPECT_EQ(people.figure, Figure::count);
}

TEST(Distinct, NumbersThatAreTheSameAreMeasuredOnce) {
  const BoundStatistic bound = statistic_of(
      "SELECT COUNT(DISTINCT city) AS a, COUNT(DISTINCT id) AS b, COUNT(DISTINCT city) AS c, COUNT(DISTINCT id) AS d, "
      "COUNT(DISTINCT educ) AS e, COUNT(city) AS f FROM people");
  ASSERT_EQ(bound.measurements.size(), 4U);
  for (const Measurement& own : bound.measurements) EXPECT_FALSE(own.source);
  EXPECT_EQ(bound.query.formulas.size(), 2U);
}

TEST(Distinct, UnitsAreThoseByWhichPrivateKeysAreChosen) {
  const BoundStatistic bound = statistic_of(
      "SELECT city, SUM(educ) AS s, COUNT(DISTINCT id) AS people, COUNT(DISTINCT id) AS again FROM people GROUP BY "
      "city",
      "max_rows = 3");
  ASSERT_EQ(bound.measurements.size(), 2U);
  EXPECT_EQ(bound.measurements[0].kind, Units::kind);
  EXPECT_EQ(bound.measurements[0].aggregation, 1U);
  EXPECT_EQ(bound.query.formulas.size(), 1U);
}

// A column that is counted both ways has two arguments: whether it is there, and what it is.
TEST(Distinct, ValuesAreNotWhatIsCountedAsPresent) {
  const BoundStatistic bound = statistic_of("SELECT COUNT(educ) AS n, COUNT(DISTINCT educ) AS d FROM people");
  ASSERT_EQ(bound.arguments.size(), 2U);
  EXPECT_FALSE(bound.arguments[0].is_value);
  EXPECT_TRUE(bound.arguments[1].is_value);
}

TEST(Distinct, TargetsAreMetAsThoseOfCounts) {
  const auto bound = testing::bound_to(
      testing::catalog_of(testing::catalog_head + testing::people_table),
      {{"SELECT COUNT(DISTINCT city) AS cities FROM people", "accuracy = { cities = 30 }\nmax_rows = 2"}});
  ASSERT_TRUE(bound);
  const Plan plan = allocate(*bound).value();
  EXPECT_EQ(plan.statistics[0].noise[0].accuracy, 30);
  EXPECT_NE(canonical(plan).find(R"({"kind":"distinct","argument":0})"), std::string::npos);
}

}  // namespace
}  // namespace vernier::plan
