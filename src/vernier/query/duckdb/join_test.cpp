#include <gtest/gtest.h>

#include "support/bound_studies.hpp"

// FROM: joins with public tables, and views, as an analyst writes them.
namespace vernier::query {
namespace {

const std::string tables = R"([tables.visits]
source = "visits.csv"
unit = "id"
[tables.visits.columns]
id = { type = "integer" }
region = { type = "string" }
year = { type = "integer", lower = 2000, upper = 2030 }
cost = { type = "real", lower = 0, upper = 1024 }
age = { type = "integer", lower = 0, upper = 120 }
[tables.visits.expressions]
adult = "age >= 18"
[tables.staff]
source = "staff.csv"
unit = "id"
[tables.staff.columns]
id = { type = "integer" }
region = { type = "string" }
[tables.regions]
source = "regions.csv"
public = true
[tables.regions.columns]
Region = { type = "string" }
country = { type = "string", keys = ["A", "B"] }
area = { type = "real", lower = 0, upper = 4096 }
[tables.prices]
source = "prices.csv"
public = true
[tables.prices.columns]
country = { type = "string" }
year = { type = "integer" }
factor = { type = "integer", lower = 1, upper = 9 }
[tables.odd]
source = "odd.csv"
public = true
[tables.odd.columns]
region = { type = "integer" }
cost = { type = "real" }
age = { type = "integer" }
[tables.clash]
source = "clash.csv"
public = true
[tables.clash.columns]
region = { type = "string" }
Adult = { type = "boolean" }
[views.adults]
table = "visits"
where = "adult"
)";

const Catalog& catalog() {
  static const Catalog made = vernier::testing::catalog_of(vernier::testing::catalog_head + tables);
  return made;
}

std::string text_of(const std::string& sql) {
  const Result<Query> query = read_query(sql, catalog());
  return query ? canonical(*query) : query.error().sentence();
}

std::string refusal(const std::string& from) {
  const std::string said = text_of("SELECT COUNT(*) AS n FROM " + from);
  EXPECT_EQ(said.find("SELECT COUNT"), said.find('\n') == std::string::npos ? std::string::npos : said.find('\n') + 3)
      << said;
  return said.substr(0, said.find('\n'));
}

TEST(SqlJoin, ReadsJoinsWithPublicTables) {
  const std::string sql =
      "SELECT country, COUNT(*) AS n, SUM(p.factor * cost) AS s FROM visits v JOIN regions USING (region) LEFT JOIN "
      "prices AS p USING (COUNTRY, year) WHERE regions.area > 1 AND v.age > 3 GROUP BY regions.country";
  const std::string canonical_text =
      "SELECT \"country\" AS \"country\", COUNT(*) AS \"n\", SUM((CAST(\"factor\" AS DOUBLE) * \"cost\")) AS \"s\" "
      "FROM \"visits\" JOIN \"regions\" USING (\"region\") LEFT JOIN \"prices\" USING (\"country\", \"year\") WHERE "
      "((\"area\" > 1e0) AND (\"age\" > 3)) GROUP BY 1";
  EXPECT_EQ(text_of(sql), canonical_text);
  EXPECT_EQ(text_of(canonical_text), canonical_text);
}

TEST(SqlJoin, ReadsOneJoinInSeveralSpellings) {
  const std::string join = "SELECT COUNT(*) AS n FROM visits JOIN regions ON visits.region = regions.region";
  const std::string rest = " WHERE age > 3 AND area > 1";
  const std::string read = text_of(join + rest);
  ASSERT_EQ(read.find("SELECT COUNT(*)"), 0U) << read;
  for (const std::string from : {
           "visits, regions WHERE visits.region = regions.region AND age > 3 AND area > 1",
           "visits v, regions r WHERE age > 3 AND r.region = v.region AND r.area > 1",
           "regions r, visits v WHERE age > 3 AND r.region = v.region AND r.area > 1",
           "visits CROSS JOIN regions WHERE visits.region = regions.region AND age > 3 AND area > 1",
           "visits v JOIN regions r ON v.region = r.region AND age > 3 AND r.area > 1",
           "regions r JOIN visits v ON v.region = r.region WHERE age > 3 AND area > 1",
       }) {
    EXPECT_EQ(text_of("SELECT COUNT(*) AS n FROM " + from), read) << from;
  }
  EXPECT_EQ(text_of("SELECT COUNT(*) AS n FROM regions JOIN visits USING (region)"),
            text_of("SELECT COUNT(*) AS n FROM visits JOIN regions USING (region)"));
  EXPECT_EQ(text_of("SELECT COUNT(*) AS n FROM regions RIGHT JOIN visits USING (region)"),
            text_of("SELECT COUNT(*) AS n FROM visits LEFT JOIN regions USING (region)"));
}

// What is asked of rows behind LEFT JOIN is not what is asked of the rows that are looked up.
TEST(SqlJoin, LeavesConditionsOfLeftJoinsWhereTheyAre) {
  const std::string said =
      text_of("SELECT COUNT(*) AS n FROM visits v LEFT JOIN regions r ON v.region = r.region AND area > 1");
  EXPECT_EQ(said,
            "SELECT COUNT(*) AS \"n\" FROM \"visits\" LEFT JOIN \"regions\" ON \"region\" = \"regions\".\"Region\" AND "
            "(\"area\" > 1e0)");
  EXPECT_EQ(text_of("SELECT COUNT(*) AS n FROM visits v LEFT JOIN regions r ON v.region = r.region AND v.age > 1")
                .find("ON takes columns of both tables that must be equal; write ON v.region = r.Region"),
            0U);
  EXPECT_NE(refusal("visits, regions WHERE visits.region = regions.region OR age > 3").find("multiply rows"),
            std::string::npos);
}

TEST(SqlJoin, RemembersWhichJoinKeepsAllRows) {
  const Query query =
      read_query("SELECT COUNT(*) FROM visits LEFT JOIN regions USING (region) JOIN prices USING (country, year)",
                 catalog())
          .value();
  ASSERT_EQ(query.joins.size(), 2U);
  EXPECT_EQ(query.joins[0], (Join{"regions", {"region"}, true}));
  EXPECT_EQ(query.joins[1], (Join{"prices", {"country", "year"}, false}));
}

TEST(SqlJoin, RefusesEveryOtherJoinWithWhatToWrite) {
  const std::vector<std::pair<std::string, std::string>> all = {
      {"visits JOIN regions ON visits.region > regions.region", "ON takes columns of both tables that must be equal"},
      {"visits, regions", "tables beside each other multiply rows"},
      {"visits CROSS JOIN regions", "tables beside each other multiply rows"},
      {"visits RIGHT JOIN regions USING (region)", "write LEFT JOIN, with the protected table first"},
      {"visits FULL JOIN regions USING (region)", "write LEFT JOIN, with the protected table first"},
      {"visits ASOF JOIN prices USING (year)", "only JOIN and LEFT JOIN are accepted"},
      {"visits POSITIONAL JOIN regions", "only JOIN and LEFT JOIN are accepted"},
      {"visits JOIN visits USING (id)", "two tables are called \"visits\""},
      {"visits JOIN adults USING (id)", "the view \"adults\" stands behind JOIN, where tables alone can"},
      {"regions LEFT JOIN visits USING (region)", "\"regions\" is public and needs no protection"},
      {"regions", "\"regions\" is public and needs no protection; statements are about visits, staff, adults"},
      {"visits JOIN nowhere USING (region)", "the catalog has no public table \"nowhere\"; it has regions, prices"},
      {"visits JOIN (regions JOIN prices USING (country)) USING (region)", "joins stand behind one another"},
      {"visits JOIN (SELECT 1 AS region) USING (region)", "a query stands behind JOIN, where tables can"},
      {"visits JOIN read_csv('regions.csv') USING (region)", "this is not a table of the catalog"},
      {"visits JOIN main.nowhere USING (region)", "a table has no schema here"},
      {"visits JOIN regions TABLESAMPLE 10% USING (region)", "TABLESAMPLE is not accepted"},
      {"visits JOIN regions USING (nothing)", "the table 'visits' has no column 'nothing'"},
      {"visits JOIN regions USING (age)", "the table 'regions' has no column 'age'"},
      {"visits JOIN regions USING (region, REGION)", "USING names the column 'region' twice"},
      {"visits JOIN odd USING (region)", "is of type string in 'visits' and of type integer in 'odd'"},
      {"visits JOIN odd USING (cost)", "the column 'cost' is real, and reals hardly ever meet"},
      {"visits JOIN regions USING (region) JOIN regions USING (region)", "two tables are called \"regions\""},
      {"visits JOIN regions AS visits USING (region)", "two tables are called \"visits\""},
  };
  for (const auto& [from, part] : all)
    EXPECT_NE(refusal(from).find(part), std::string::npos) << from << "\n" << refusal(from);
}

TEST(SqlJoin, KnowsWhoseColumnIsMeant) {
  const auto where = [](const std::string& condition) {
    return text_of("SELECT COUNT(*) AS n FROM visits LEFT JOIN regions AS r USING (region) WHERE " + condition);
  };
  EXPECT_NE(where("r.area > 1 AND visits.cost > 1").find("WHERE"), std::string::npos);
  EXPECT_EQ(where("r.region = 'x'").find("by this column the tables are joined"), 0U);
  EXPECT_EQ(where("r.cost > 1").find("the table r has no column \"cost\"; it has country, area"), 0U);
  EXPECT_EQ(where("visits.area > 1").find("the table visits has no column \"area\""), 0U);
  EXPECT_EQ(where("regions.area > 1").find("a column is written as name or table.name"), 0U);
}

TEST(SqlView, StandsForItsTableAndItsCondition) {
  EXPECT_EQ(text_of("SELECT COUNT(*) AS n FROM adults"),
            "SELECT COUNT(*) AS \"n\" FROM \"visits\" WHERE (\"age\" >= 18)");
  EXPECT_EQ(text_of("SELECT COUNT(*) AS n FROM Adults AS a JOIN regions USING (region) WHERE a.cost > 2 AND area < 9"),
            "SELECT COUNT(*) AS \"n\" FROM \"visits\" JOIN \"regions\" USING (\"region\") WHERE ((\"age\" >= 18) AND "
            "(\"cost\" > 2e0) AND (\"area\" < 9e0))");
}

TEST(SqlView, LeavesNoAlternativeAroundItsCondition) {
  EXPECT_EQ(text_of("SELECT COUNT(*) AS n FROM adults WHERE cost > 2 OR TRUE"),
            "SELECT COUNT(*) AS \"n\" FROM \"visits\" WHERE ((\"age\" >= 18) AND ((\"cost\" > 2e0) OR TRUE))");
}

TEST(SqlExpression, NamedOnesAreUsedLikeColumns) {
  EXPECT_EQ(text_of("SELECT ADULT, COUNT(*) AS n, COUNT(adult) FROM visits WHERE NOT visits.adult GROUP BY adult"),
            "SELECT (\"age\" >= 18) AS \"adult\", COUNT(*) AS \"n\", COUNT((\"age\" >= 18)) AS \"COUNT(adult)\" FROM "
            "\"visits\" WHERE (\"age\" < 18) GROUP BY 1");
}

}  // namespace
}  // namespace vernier::query
