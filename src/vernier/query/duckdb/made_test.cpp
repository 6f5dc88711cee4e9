#include "vernier/query/made.hpp"

#include <gtest/gtest.h>

#include "support/bound_studies.hpp"

// Tables that a statement makes, as an analyst writes them.
namespace vernier::query {
namespace {

const std::string tables = R"([tables.visits]
source = "visits.csv"
unit = "person"
row_limit = 1000
max_rows = 7
[tables.visits.columns]
person = { type = "integer" }
region = { type = "string", keys = ["north", "south"] }
cost = { type = "integer", lower = 0, upper = 500 }
[tables.calls]
source = "calls.csv"
unit = "caller"
row_limit = 2000
[tables.calls.columns]
caller = { type = "integer" }
fee = { type = "real", lower = -1, upper = 9 }
place = { type = "string", keys = ["east", "south"] }
[tables.letters]
source = "letters.csv"
unit = "name"
[tables.letters.columns]
name = { type = "string" }
[tables.parts]
source = "parts.csv"
unit = { via = "calls.call", is = "caller", by = "of" }
[tables.parts.columns]
of = { type = "integer" }
minutes = { type = "integer", lower = 0, upper = 60 }
[tables.rows]
source = "rows.csv"
unit = "row"
[tables.rows.columns]
cost = { type = "integer", lower = 0, upper = 500 }
)";

const Catalog& catalog() {
  static const Catalog made =
      vernier::testing::catalog_of(vernier::testing::catalog_head +
                                   std::string(tables).insert(tables.find("fee ="), "call = { type = \"integer\" }\n"));
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

TEST(Made, IsAUnionOfRowsWithTheirUnitFirst) {
  EXPECT_EQ(text_of("SELECT COUNT(*) AS n FROM (SELECT cost, person FROM visits WHERE cost > 3 UNION ALL SELECT fee, "
                    "caller FROM calls) AS u WHERE cost < 9"),
            "WITH \"u\" AS (SELECT \"person\" AS \"person\", CAST(\"cost\" AS DOUBLE) AS \"cost\" FROM \"visits\" "
            "WHERE (\"cost\" > 3) UNION ALL SELECT \"caller\" AS \"person\", \"fee\" AS \"cost\" FROM \"calls\") "
            "SELECT COUNT(*) AS \"n\" FROM \"u\" WHERE (\"cost\" < 9e0)");
}

TEST(Made, IsWhatUnitsHaveInAllBehindJoin) {
  EXPECT_EQ(text_of("SELECT COUNT(*) AS n FROM visits JOIN (SELECT caller, COUNT(*) AS k FROM calls GROUP BY caller "
                    "HAVING MAX(fee) > 1) AS c ON person = caller AND k > 2"),
            "WITH \"c\" AS (SELECT \"caller\" AS \"caller\", \"k\" AS \"k\" FROM (SELECT \"caller\" AS \"caller\", "
            "COUNT(*) AS \"k\", MAX(\"fee\") AS \" having 1\" FROM \"calls\" GROUP BY 1) AS \"per unit\" WHERE "
            "(\" having 1\" > 1e0)) SELECT COUNT(*) AS \"n\" FROM \"visits\" JOIN \"c\" ON \"person\" = "
            "\"c\".\"caller\" WHERE (\"k\" > 2)");
}

TEST(Made, IsWhatASubqueryLooksUp) {
  for (const std::string condition :
       {"person IN (SELECT caller FROM calls GROUP BY caller HAVING COUNT(*) > 2)",
        "cost > 3 OR person IN (SELECT caller FROM calls)",
        "cost > 3 OR EXISTS (SELECT 1 FROM calls WHERE caller = person)",
        "cost > (SELECT AVG(fee) FROM calls WHERE caller = person)",
        "(SELECT COUNT(*) FROM visits b WHERE b.person = a.person AND b.region = a.region) > 2",
        "EXISTS (SELECT 1 FROM visits b WHERE b.person = a.person AND b.cost <> a.cost)"}) {
    const std::string text = text_of("SELECT COUNT(*) AS n FROM visits a WHERE " + condition);
    EXPECT_TRUE(text.starts_with("WITH \"subquery 1\" AS (SELECT ")) << text;
    const bool is_joined = text.find(" LEFT JOIN \"subquery 1\" ON \"person\" = ") != std::string::npos ||
                           text.find(" LEFT JOIN \"subquery 1\" USING (\"person\")") != std::string::npos;
    EXPECT_TRUE(is_joined) << text;
  }
}

TEST(Made, IsGroupedByTheColumnOfViaInPlaceOfTheUnit) {
  const std::string text =
      text_of("SELECT COUNT(*) AS n FROM (SELECT of, SUM(minutes) AS m FROM parts GROUP BY of) p WHERE m > 9");
  EXPECT_NE(text.find("\"caller\" AS \"caller\", \"of\" AS \"of\", SUM(\"minutes\")"), std::string::npos) << text;
  EXPECT_NE(
      text_of(
          "SELECT COUNT(*) AS n FROM calls WHERE call IN (SELECT of FROM parts GROUP BY of HAVING SUM(minutes) > 9)")
          .find("LEFT JOIN"),
      std::string::npos);
}

TEST(Made, AddsUpTwice) {
  const std::string text = text_of(
      "SELECT COUNT(*) AS n FROM (SELECT person, MAX(k) AS m FROM (SELECT person, region, COUNT(*) AS k FROM visits "
      "GROUP BY person, region) AS a GROUP BY person) AS b WHERE m > 2");
  EXPECT_TRUE(text.starts_with("WITH \"a\" AS (")) << text;
}

TEST(Made, RefusesRowsThatAreOfNoUnitOrDoNotGoTogether) {
  const std::vector<std::pair<std::string, std::string>> all = {
      {"SELECT cost FROM rows UNION ALL SELECT cost FROM rows", "the table \"rows\" is a unit of its own"},
      {"SELECT person, region FROM visits UNION ALL SELECT caller, fee FROM calls", "is of type string in one part"},
      {"SELECT person FROM visits UNION ALL SELECT name FROM letters", "\"person\" is of type integer in one part"},
      {"SELECT person, cost FROM visits UNION ALL SELECT caller FROM calls", "different numbers of columns"},
      {"SELECT person, cost FROM visits UNION ALL SELECT fee, caller FROM calls", "the unit at different places"},
      {"SELECT person, cost FROM visits INTERSECT SELECT caller, call FROM calls",
       "INTERSECT and EXCEPT are not accepted"},
      {"SELECT person FROM visits UNION ALL SELECT caller FROM calls LIMIT 3", "LIMIT"},
  };
  for (const auto& [sql, part] : all) {
    const std::string text = text_of("SELECT COUNT(*) AS n FROM (" + sql + ") AS u");
    EXPECT_NE(text.find(part), std::string::npos) << text;
  }
}

TEST(Made, HasTheBoundsKeysAndLimitsOfItsParts) {
  const Result<plan::BoundStudy> study = vernier::testing::bound_to(
      catalog(), {{"SELECT place, SUM(x) AS x FROM (SELECT person, cost AS x, region AS place FROM visits UNION ALL "
                   "SELECT caller, fee, place FROM calls) AS u GROUP BY place",
                   ""}});
  ASSERT_TRUE(study) << study.error().sentence();
  const plan::BoundStatistic& bound = study->statistics.front();
  EXPECT_EQ(bound.table.unit, "person");
  EXPECT_EQ(bound.table.row_limit, 3000);
  EXPECT_EQ(bound.contribution.max_rows, 8);
  EXPECT_EQ(bound.table.column("x")->range->lower, Value(-1.0));
  EXPECT_EQ(bound.table.column("x")->range->upper, Value(500.0));
  EXPECT_EQ(bound.keys.cells.size(), 3U);
  EXPECT_EQ(protected_tables(bound).size(), 2U);
}

// A part that does not name its unit first is found by the binder, whatever has made it.
TEST(Made, IsBoundByItsUnitsAlone) {
  Result<Query> query = read_query(
      "SELECT COUNT(*) AS n FROM (SELECT person FROM visits UNION ALL SELECT caller FROM calls) AS u", catalog());
  ASSERT_TRUE(query);
  MadeRows rows = *query->made.front().table.made;
  rows.parts[1].columns.front().expression = column(*catalog().table("calls")->column("call"));
  query->made.front().table.made = std::make_shared<const MadeRows>(rows);
  Study study{.path = {},
              .catalog = {},
              .alpha = numeric::Rational::of_decimal("0.05").value(),
              .budget = StudyBudget{numeric::Rational::of(1), numeric::Rational::of(0)}};
  study.statistics.push_back({.name = "s", .sql = "", .accuracy = {}, .weight = numeric::Rational::of(1)});
  const Result<plan::BoundStudy> bound = plan::bind(study, catalog(), {*query});
  ASSERT_FALSE(bound);
  EXPECT_NE(bound.error().sentence().find("do not name their unit first"), std::string::npos);
}

}  // namespace
}  // namespace vernier::query
