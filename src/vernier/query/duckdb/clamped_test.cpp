#include <gtest/gtest.h>

#include "support/duckdb_session.hpp"
#include "support/random_expressions.hpp"
#include "support/tables.hpp"
#include "vernier/query/duckdb/sql.hpp"
#include "vernier/query/expression/render.hpp"
#include "vernier/query/quote.hpp"

// Which rows were moved to a bound.
namespace vernier::query {
namespace {

Result<Expression> read(const std::string& x) {
  return read_query("SELECT COUNT(" + x + ") AS n FROM people", testing::people_catalog()).map([](const Query& query) {
    return *query.aggregations[0].argument;
  });
}

// IS_CLAMPED of the expression on rows that have this in one column, and NULL in all others.
std::string clamped(const std::string& x, const std::string& name, const std::string& cell) {
  const Result<Expression> read_back = read("IS_CLAMPED(" + x + ")");
  if (!read_back) return read_back.error().sentence();
  std::string list;
  for (const Column& column : testing::people().columns) {
    const std::string value = column.name == name ? cell : "NULL";
    list += (list.empty() ? "SELECT CAST(" : ", CAST(") + value + " AS " + std::string(column_type(column.type)) +
            ") AS " + quoted_identifier(column.name);
  }
  testing::DuckDbSession session;
  const auto row = session.run("SELECT " + rendered(*read_back) + " FROM " + bracketed(list));
  return row ? row->front() : session.error();
}

TEST(IsClamped, IsTrueOfARawValueBeyondADeclaredBoundAlone) {
  for (const char* const cell : {"-1", "121", "'-9223372036854775808'", "'9223372036854775807'"}) {
    EXPECT_EQ(clamped("age", "age", cell), "true") << cell;
  }
  for (const char* const cell : {"0", "120", "7", "NULL"}) EXPECT_EQ(clamped("age", "age", cell), "false") << cell;
  for (const char* const cell : {"'-inf'", "'inf'", "'-5e-324'", "'200000.00000000003'", "'1.7976931348623157e308'"}) {
    EXPECT_EQ(clamped("income", "income", cell), "true") << cell;
  }
  for (const char* const cell : {"'nan'", "'-0.0'", "0", "200000", "NULL"}) {
    EXPECT_EQ(clamped("income", "income", cell), "false") << cell;
  }
  for (const char* const cell : {"'infinity'", "'-infinity'", "'5881580-07-10'"}) {
    EXPECT_EQ(clamped("born", "born", cell), "true") << cell;
  }
  EXPECT_EQ(clamped("born", "born", "'1970-01-01'"), "false");
}

TEST(IsClamped, IsTrueOfWhatLiesOutsideOfClamp) {
  EXPECT_EQ(clamped("CLAMP(id, 0, 5)", "id", "6"), "true");
  EXPECT_EQ(clamped("CLAMP(id, 0, 5)", "id", "5"), "false");
  EXPECT_EQ(clamped("CLAMP(id, 0, 5)", "id", "NULL"), "false");
  EXPECT_EQ(clamped("CLAMP(id * id, 0, 5)", "id", "'9223372036854775807'"), "true");
  EXPECT_EQ(clamped("CLAMP(weight, -1, 1)", "weight", "'inf'"), "false");  // no value, since it has no bounds
  EXPECT_EQ(clamped("CLAMP(weight, -1, 1)", "weight", "-1.5"), "true");
}

TEST(IsClamped, LooksInsideOfExpressions) {
  EXPECT_EQ(clamped("CLAMP(age, 0, 50) + 1", "age", "60"), "true");
  EXPECT_EQ(clamped("CLAMP(age, 10, 200) + 1", "age", "121"), "true");
  EXPECT_EQ(clamped("CLAMP(age, 10, 200) + 1", "age", "11"), "false");
  EXPECT_EQ(clamped("COALESCE(educ, age)", "age", "121"), "true");
  EXPECT_EQ(clamped("age > 5", "age", "121"), "true");
  EXPECT_EQ(clamped("COALESCE(income, 0)", "income", "'nan'"), "false");
}

// What was not chosen was not moved.
TEST(IsClamped, CountsWhatWasChosenAlone) {
  const std::string by_age = "CASE WHEN region IS NULL THEN 1 WHEN region = 'x' THEN age ELSE educ END";
  EXPECT_EQ(clamped(by_age, "age", "121"), "false");
  EXPECT_EQ(clamped("CASE WHEN region IS NULL THEN age ELSE educ END", "age", "121"), "true");
  EXPECT_EQ(clamped("CASE WHEN age > 100 THEN 1 ELSE 0 END", "age", "121"), "true");  // it was asked
  EXPECT_EQ(clamped("COALESCE(age, CLAMP(age, 0, 7))", "age", "8"), "false");
  EXPECT_EQ(clamped("COALESCE(educ, CLAMP(age, 0, 7))", "age", "8"), "true");
  EXPECT_EQ(clamped("CASE WHEN member THEN 1 ELSE COALESCE(educ, age) END + 1", "age", "121"), "true");
  EXPECT_EQ(clamped("CASE WHEN region IS NULL THEN 1 ELSE COALESCE(educ, age) END + 1", "age", "121"), "false");
}

// Such a row is in no sum and no mean.
TEST(IsClamped, IsFalseWhereTheWholeHasNoValue) {
  EXPECT_EQ(clamped("age + educ", "age", "121"), "false");
  EXPECT_EQ(clamped("CASE WHEN region = 'north' THEN age END", "age", "121"), "false");
}

TEST(IsClamped, IsRefusedWhereNothingCanBeMoved) {
  for (const char* const x : {"id", "weight", "member", "7", "NULL", "CASE WHEN id > 5 THEN 1 ELSE 0 END"}) {
    const auto found = read("IS_CLAMPED(" + std::string(x) + ")");
    ASSERT_FALSE(found) << x;
    EXPECT_NE(found.error().sentence().find("nothing in it can be moved to a bound"), std::string::npos) << x;
  }
  EXPECT_NE(read("IS_CLAMPED(age, 5)").error().sentence().find("write it as IS_CLAMPED(x)"), std::string::npos);
}

TEST(IsClamped, ReadsBackAsTheSame) {
  for (const char* const x :
       {"age", "CLAMP(income / 2, 10, 50)", "CASE WHEN member THEN age ELSE CLAMP(id, 0, 1) END"}) {
    const Expression first = *read("IS_CLAMPED(" + std::string(x) + ")");
    EXPECT_TRUE(canonical(first).starts_with("IS_CLAMPED(")) << canonical(first);
    EXPECT_EQ(*read(canonical(first)), first);
    EXPECT_EQ(first.type(), Type::boolean);
    EXPECT_FALSE(first.nullable());
  }
}

// The SQL is no longer than the weight says, by which long ones are refused.
TEST(IsClamped, WeighsItsSql) {
  testing::RandomExpressions random(71, testing::people());
  int seen = 0;
  for (int i = 0; i < 3000; ++i) {
    const auto made = apply(Operation::is_clamped, {random.any(4)});
    if (!made) continue;
    ++seen;
    const std::string sql = rendered(*made);
    std::size_t names = 0;
    for (std::size_t at = sql.find('"'); at != std::string::npos; at = sql.find('"', at + 1)) ++names;
    EXPECT_LE(names, 8 * made->weight()) << sql;  // two quotes around a name, six more in the odd one
  }
  EXPECT_GT(seen, 500);
}

}  // namespace
}  // namespace vernier::query
