#include <gtest/gtest.h>

#include "vernier/query/duckdb/sql.hpp"
#include "vernier/query/query.hpp"

namespace vernier::query {
namespace {

constexpr const char* head = R"([budget]
epsilon = 1.0
[tables.people]
source = "people.csv"
unit = "row"
[tables.people.columns]
age = { type = "integer", lower = 0, upper = 120 }
income = { type = "real", lower = 0, upper = 131072 }
weight = { type = "real" }
name = { type = "string" }
born = { type = "date", lower = 1900-01-01, upper = 2025-12-31 }
)";

Reading<Catalog> examined(const std::string& rest) {
  return with_definitions(examine_catalog_text("c.toml", head + rest));
}

// What is said about one expression of the table.
std::string said(const std::string& definition) {
  const Reading<Catalog> reading = examined("[tables.people.expressions]\nx = " + definition + "\n");
  return reading.content ? "" : located("c", reading.problems.front()).sentence();
}

Expression meaning(const std::string& definition) {
  const Reading<Catalog> reading = examined("[tables.people.expressions]\nx = " + definition + "\n");
  EXPECT_TRUE(reading.content) << reading.problems.front().sentence();
  const Table& table = reading.content->tables.front();
  return meaning_of(table.expressions.front(), table).value();
}

TEST(CatalogDefinitions, HaveTheirTypeAndBoundsFromTheAlgebra) {
  EXPECT_EQ(meaning("\"age * 2 + 1\"").span(), Span(IntegerSpan{1, 241}));
  EXPECT_EQ(meaning("\"age >= 18\"").type(), Type::boolean);
  EXPECT_EQ(canonical(meaning("\"CASE WHEN age < 18 THEN 'young' ELSE 'old' END -- by law\"")),
            "CASE WHEN (\"age\" < 18) THEN 'young' ELSE 'old' END");
  EXPECT_FALSE(meaning("\"weight\"").bounded());
}

TEST(CatalogDefinitions, AreNarrowedByDeclaredBounds) {
  EXPECT_EQ(meaning("{ sql = \"income / 12\", lower = 0, upper = 5000 }").span(), Span(RealSpan{0, 5000}));
  EXPECT_EQ(meaning("{ sql = \"weight\", lower = 0.5, upper = 200 }").span(), Span(RealSpan{0.5, 200}));
  EXPECT_TRUE(meaning("{ sql = \"weight\", lower = 0.5, upper = 200 }").bounded());
  EXPECT_EQ(meaning("{ sql = \"age\", lower = 18, upper = 120 }").span(), Span(IntegerSpan{18, 120}));
  EXPECT_EQ(canonical(meaning("{ sql = \"born\", lower = 1950-01-01, upper = 1960-01-01 }")),
            "CLAMP(\"born\", DATE '1950-01-01', DATE '1960-01-01')");
}

TEST(CatalogDefinitions, AreRefusedWithTheirPlace) {
  const std::vector<std::pair<std::string, std::string>> all = {
      {"\"age >\"", "c:13:5: the expression 'x': this cannot be read as SQL"},
      {"\"\"", "this cannot be read as SQL"},
      {"\"agee >= 18\"", "has no column \"agee\"; it has age, income, weight, name, born (at agee >= 18)"},
      {"\"age AS y\"", "a name (AS) stands only behind a whole column"},
      {"\"age, income\"", "this must be one expression over columns"},
      {"\"age FROM people --\"", "this cannot be read as SQL"},
      {"\"age FROM t; SELECT age\"", "this must be one expression over columns"},
      {"\"age FROM t UNION SELECT age\"", "this must be one expression over columns"},
      {"\"DISTINCT age\"", "this must be one expression over columns"},
      {"\"COUNT(*)\"", "a statistic is about all rows of a group"},
      {"\"(SELECT age)\"", "a subquery is not accepted"},
      {"\"x + 1\"", "the named expression \"x\" cannot stand in another one"},
      {"{ sql = \"age\", lower = 0, upper = 200 }", "wider than what the expression can be, 0 to 120"},
      {"{ sql = \"age\", lower = 9, upper = 3 }", "lower must be below upper"},
      {"{ sql = \"age\", lower = 0.5, upper = 3.5 }", "the expression is of type integer, and its bounds are not"},
      {"{ sql = \"name\", lower = 0, upper = 3 }", "the expression is of type string, and its bounds are not"},
      {"{ sql = \"weight\", lower = 1900-01-01, upper = 1901-01-01 }", "the expression is of type real"},
  };
  for (const auto& [definition, part] : all) {
    EXPECT_NE(said(definition).find(part), std::string::npos) << definition << "\n" << said(definition);
  }
}

TEST(CatalogDefinitions, ViewsNeedACondition) {
  const auto view = [](const std::string& where) {
    const Reading<Catalog> reading = examined("[views.v]\ntable = \"people\"\nwhere = \"" + where + "\"\n");
    return reading.content ? "" : located("c", reading.problems.front()).sentence();
  };
  EXPECT_EQ(view("age >= 18 AND name IS NOT NULL"), "");
  EXPECT_EQ(view("age"), "c:14:9: the view 'v': where must be a condition, such as age >= 18");
  EXPECT_NE(view("NULL").find("where must be a condition"), std::string::npos);
  EXPECT_NE(view("aged > 1").find("has no column \"aged\""), std::string::npos);
}

TEST(CatalogDefinitions, AllThatIsWrongIsTold) {
  const Reading<Catalog> reading = examined(
      "[tables.people.expressions]\na = \"1 +\"\nb = \"age\"\nc = \"d\"\n[views.v]\ntable = \"people\"\nwhere = "
      "\"e\"\n");
  EXPECT_FALSE(reading.content);
  ASSERT_EQ(reading.problems.size(), 3U);
  EXPECT_EQ(reading.problems[2].place, (Place{18, 9}));
}

}  // namespace
}  // namespace vernier::query
