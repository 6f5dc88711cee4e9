#include <gtest/gtest.h>

#include "support/tables.hpp"
#include "vernier/query/duckdb/sql.hpp"

namespace vernier::query {
namespace {

Result<Query> read(const std::string& sql) { return read_query(sql, testing::people_catalog()); }

std::string refusal(const std::string& sql) {
  const Result<Query> query = read(sql);
  return query ? "accepted" : query.error().sentence();
}

TEST(SqlStatistics, ReadsEveryStatisticInOneForm) {
  const auto read_as = [](const std::string& asked) {
    const Result<Query> query = read("SELECT " + asked + " AS x FROM people");
    return query ? canonical(query->aggregations.front()) : query.error().sentence();
  };
  EXPECT_EQ(read_as("VARIANCE(income)"), "VAR_SAMP(\"income\")");
  EXPECT_EQ(read_as("var_pop(income)"), "VAR_POP(\"income\")");
  EXPECT_EQ(read_as("STDDEV(income)"), "STDDEV_SAMP(\"income\")");
  EXPECT_EQ(read_as("STDDEV_POP(income)"), "STDDEV_POP(\"income\")");
  EXPECT_EQ(read_as("MEDIAN(income)"), "QUANTILE(\"income\", 0.5)");
  EXPECT_EQ(read_as("QUANTILE(income, 0.250)"), "QUANTILE(\"income\", 0.25)");
  EXPECT_EQ(read_as("QUANTILE(income, .000001)"), "QUANTILE(\"income\", 0.000001)");
  EXPECT_EQ(read_as("MIN(income)"), "MIN(\"income\")");
  EXPECT_EQ(read_as("MAX(income)"), "MAX(\"income\")");
  EXPECT_EQ(read_as("MEAN(income)"), "AVG(\"income\")");
  EXPECT_EQ(read_as("COUNT(DISTINCT region)"), "COUNT(DISTINCT \"region\")");
}

TEST(SqlStatistics, TakesAFractionThatIsADecimalBetween0And1) {
  const auto fraction = [](const std::string& p) {
    return read("SELECT QUANTILE(age, " + p + ") FROM people")->aggregations.front().fraction;
  };
  EXPECT_EQ(fraction("0.9"), (Fraction{9, 10}));
  EXPECT_EQ(fraction("0.375"), (Fraction{3, 8}));
  for (const char* const p :
       {"0", "1", "0.0", "1.0", "1.5", "-0.5", "0.1234567", "1e-1", "age", "NULL", "'0.5'", "[0.5]",
        "0.00000000000000000000000000000000000001", "99999999999999999999999999999999999.5"}) {
    EXPECT_NE(refusal("SELECT QUANTILE(age, " + std::string(p) + ") FROM people"), "accepted") << p;
  }
  EXPECT_NE(refusal("SELECT QUANTILE(age) FROM people").find("QUANTILE(x, 0.9)"), std::string::npos);
  EXPECT_NE(refusal("SELECT MEDIAN(age, 0.5) FROM people").find("one expression"), std::string::npos);
}

TEST(SqlStatistics, TellsUnitsFromOtherValuesThatDiffer) {
  Catalog people = testing::people_catalog();
  const auto aggregate = [&](const std::string& x) {
    return read_query("SELECT COUNT(DISTINCT " + x + ") FROM people", people)->aggregations.front().aggregate;
  };
  EXPECT_EQ(aggregate("id"), Aggregate::count_distinct);
  people.tables.front().unit = "id";
  EXPECT_EQ(aggregate("id"), Aggregate::count_units);
  EXPECT_EQ(aggregate("ID"), Aggregate::count_units);
  EXPECT_EQ(aggregate("id + 0"), Aggregate::count_distinct);
  EXPECT_EQ(aggregate("region"), Aggregate::count_distinct);
}

}  // namespace
}  // namespace vernier::query
