#include <gtest/gtest.h>

#include "support/bound_studies.hpp"

// Statistics over what rows add up to for each unit, as an analyst writes them.
namespace vernier::query {
namespace {

const std::string tables = R"([tables.visits]
source = "visits.csv"
unit = "person"
row_limit = 100000
[tables.visits.columns]
person = { type = "integer" }
region = { type = "string", keys = ["north", "south"] }
cost = { type = "integer", lower = 0, upper = 500 }
share = { type = "real", lower = 0, upper = 1 }
[tables.rows]
source = "rows.csv"
unit = "row"
[tables.rows.columns]
cost = { type = "integer", lower = 0, upper = 500 }
[tables.regions]
source = "regions.csv"
public = true
[tables.regions.columns]
region = { type = "string" }
wealth = { type = "string", keys = ["rich", "poor"] }
)";

const Catalog& catalog() {
  static const Catalog made = vernier::testing::catalog_of(vernier::testing::catalog_head + tables);
  return made;
}

// The canonical text, which must mean itself, or the sentence.
std::string text_of(const std::string& sql) {
  const Result<Query> query = read_query(sql, catalog());
  if (!query) return query.error().sentence();
  const std::string text = canonical(*query);
  const Result<Query> again = read_query(text, catalog());
  EXPECT_TRUE(again && *again == *query) << text << "\n" << (again ? canonical(*again) : again.error().sentence());
  return text;
}

TEST(PerUnit, IsReadBehindFromAndInWith) {
  const std::string wanted =
      "SELECT AVG(CASE WHEN (\"n\" > 1) THEN 1 ELSE 0 END) AS \"often\" FROM (SELECT \"person\" AS \"person\", "
      "COUNT(*) AS \"n\" FROM \"visits\" WHERE (\"cost\" > 3) GROUP BY 1) AS \"per unit\"";
  const std::string outer = "SELECT AVG(CASE WHEN n > 1 THEN 1 ELSE 0 END) AS often FROM ";
  const std::string inner = "SELECT person, COUNT(*) AS n FROM visits WHERE cost > 3 GROUP BY person";
  EXPECT_EQ(text_of(outer + "(" + inner + ") AS p"), wanted);
  EXPECT_EQ(text_of("WITH p AS (" + inner + ") " + outer + "p"), wanted);
  EXPECT_EQ(text_of(outer + "(SELECT person AS who, COUNT(*) AS n FROM visits WHERE cost > 3 GROUP BY 1) AS p"),
            wanted);
}

TEST(PerUnit, TakesMoreKeysJoinsAndEveryTotal) {
  EXPECT_EQ(
      text_of("SELECT wealth, SUM(CLAMP(s, 0, 900)) AS s FROM (SELECT wealth, person, SUM(cost) AS s FROM visits JOIN "
              "regions USING (region) GROUP BY wealth, person) p GROUP BY wealth"),
      "SELECT \"wealth\" AS \"wealth\", SUM(CLAMP(\"s\", 0, 900)) AS \"s\" FROM (SELECT \"person\" AS \"person\", "
      "\"wealth\" AS \"wealth\", SUM(\"cost\") AS \"s\" FROM \"visits\" JOIN \"regions\" USING (\"region\") GROUP BY "
      "1, 2) AS \"per unit\" GROUP BY 1");
  const std::string all = text_of(
      "SELECT AVG(a + b + c) AS x FROM (SELECT person, MIN(cost) AS a, MAX(cost) AS b, AVG(share) "
      "AS c, COUNT(DISTINCT region) AS d, COUNT(share) AS e FROM visits GROUP BY person) AS p");
  EXPECT_TRUE(all.starts_with("SELECT AVG(")) << all;
  EXPECT_TRUE(
      text_of("SELECT COUNT(*) AS n FROM (SELECT DISTINCT person, region FROM visits) AS p").starts_with("SELECT"));
  EXPECT_TRUE(text_of("SELECT COUNT(DISTINCT who) AS n FROM (SELECT person AS who, SUM(cost) AS s FROM visits GROUP BY "
                      "person) AS p WHERE s > 7 GROUP BY BUCKET(CLAMP(s, 0, 99), 10)")
                  .starts_with("SELECT BUCKET"));
}

TEST(PerUnit, RefusesWhatIsOfSeveralUnitsOrHasNoBounds) {
  const std::vector<std::pair<std::string, std::string>> all = {
      {"SELECT AVG(n + 1) AS x FROM (SELECT region, COUNT(*) AS n FROM visits GROUP BY region) AS t",
       "add person to its GROUP BY"},
      {"SELECT AVG(n) AS x FROM (SELECT COUNT(*) AS n FROM visits) AS t", "a statistic inside of a query behind FROM"},
      {"SELECT AVG(n + 1) AS x FROM (SELECT cost, COUNT(*) AS n FROM rows GROUP BY cost) AS t", "is a unit of its own"},
      {"SELECT AVG(n) AS x FROM (SELECT person, COUNT(*) AS n FROM visits GROUP BY person) AS t", "AVG needs bounds"},
      {"SELECT COUNT(*) AS x FROM (SELECT person, STDDEV(cost) AS n FROM visits GROUP BY person) AS t",
       "only COUNT, SUM, AVG, MIN and MAX"},
      {"SELECT COUNT(*) AS x FROM (SELECT person, COUNT(*) AS n FROM visits GROUP BY person LIMIT 3) AS t",
       "LIMIT inside"},
      {"SELECT COUNT(*) AS x FROM (SELECT person AS who, COUNT(*) AS person FROM visits GROUP BY 1) AS t",
       "has the name of the unit"},
  };
  for (const auto& [sql, part] : all) EXPECT_NE(text_of(sql).find(part), std::string::npos) << text_of(sql);
}

const plan::BoundStatistic& first_of(const Result<plan::BoundStudy>& study) { return study.value().statistics.front(); }

TEST(PerUnit, GivesMeansAndExtremesTheBoundsOfTheirValues) {
  const Result<plan::BoundStudy> study = vernier::testing::bound_to(
      catalog(),
      {{"SELECT COUNT(*) AS n FROM (SELECT person, MIN(cost) AS a, AVG(share) AS b, SUM(cost) AS c FROM visits "
        "GROUP BY person) AS p",
        ""}});
  const Table& table = first_of(study).table;
  EXPECT_EQ(table.unit, "person");
  EXPECT_EQ(table.column("a")->range->upper, Value(std::int64_t{500}));
  EXPECT_EQ(table.column("b")->range->upper, Value(1.0));
  EXPECT_FALSE(table.column("c")->range);
  EXPECT_EQ(protected_tables(first_of(study)).front().columns.size(), 4U);
}

// Two statistics over other rows are never taken for one.
TEST(PerUnit, SharesNothingWithStatisticsOfRows) {
  const Result<plan::BoundStudy> study = vernier::testing::bound_to(
      catalog(),
      {{"SELECT COUNT(DISTINCT person) AS n FROM visits WHERE cost > 3", ""},
       {"SELECT COUNT(*) AS n FROM (SELECT person, MAX(cost) AS cost FROM visits GROUP BY person) AS p WHERE cost > 3",
        ""}});
  ASSERT_TRUE(study);
  EXPECT_FALSE(study->statistics[0].query == study->statistics[1].query);
  for (const plan::Measurement& one : study->statistics[1].measurements) EXPECT_FALSE(one.copied);
}

}  // namespace
}  // namespace vernier::query
