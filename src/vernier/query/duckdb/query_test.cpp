#include <thread>

#include <gtest/gtest.h>

#include "support/random_expressions.hpp"
#include "support/tables.hpp"
#include "vernier/query/duckdb/sql.hpp"
#include "vernier/query/translate/syntax.hpp"

namespace vernier::query {
namespace {

const Catalog& catalog() {
  static const Catalog people = testing::people_catalog();
  return people;
}

Result<Query> read(std::string_view sql) { return read_query(sql, catalog()); }

// The refusal's first line, and the text that the caret points at.
struct Pointed {
  std::string sentence;
  std::string at;
};

Pointed refusal(std::string_view sql) {
  const Result<Query> query = read(sql);
  if (query) return {"accepted", ""};
  const std::string& told = query.error().sentence();
  const std::size_t first = told.find('\n');
  if (first == std::string::npos) return {told, ""};
  const std::size_t second = told.find('\n', first + 1);
  const std::string line = told.substr(first + 1, second - first - 1);
  return {told.substr(0, first), line.substr(byte_of_character(line, told.size() - second - 2))};
}

void expect_refused(std::string_view sql, std::string_view part, std::string_view at) {
  const Pointed found = refusal(sql);
  EXPECT_NE(found.sentence.find(part), std::string::npos) << sql << "\n" << found.sentence;
  EXPECT_TRUE(found.at.starts_with(at)) << sql << "\n" << found.at;
}

TEST(SqlQuery, ReadsTheStatementOfTheFirstPage) {
  const Result<Query> query = read(
      "SELECT region, COUNT(*) AS people, AVG(income) AS income FROM people WHERE age >= 18 GROUP BY region ORDER BY "
      "region DESC");
  ASSERT_TRUE(query) << query.error().sentence();
  EXPECT_EQ(
      canonical(*query),
      "SELECT \"region\" AS \"region\", COUNT(*) AS \"people\", AVG(\"income\") AS \"income\" FROM \"people\" WHERE "
      "(\"age\" >= 18) GROUP BY 1 ORDER BY 1 DESC");
}

TEST(SqlQuery, FindsKeysByColumnNamePositionAndExpression) {
  for (const char* const sql : {"SELECT BUCKET(age, 10) AS decade, COUNT(*) AS n FROM people GROUP BY BUCKET(age, 10)",
                                "SELECT BUCKET(age, 10) AS decade, COUNT(*) AS n FROM people GROUP BY decade",
                                "SELECT BUCKET(age, 10) AS decade, COUNT(*) AS n FROM people GROUP BY 1",
                                "SELECT bucket(People.AGE, 10) AS decade, count() n FROM People GROUP BY DECADE",
                                "SELECT BUCKET(p.age, 10) AS decade, COUNT(*) AS n FROM people AS p GROUP BY 1"}) {
    const Result<Query> query = read(sql);
    ASSERT_TRUE(query) << query.error().sentence();
    EXPECT_EQ(*query, *read("SELECT BUCKET(age, 10) AS decade, COUNT(*) AS n FROM people GROUP BY 1")) << sql;
  }
}

TEST(SqlQuery, TakesAColumnBeforeANameOfTheSelectListInGroupByAndTheOtherWayRoundInOrderBy) {
  const Result<Query> query =
      read("SELECT age AS educ, educ AS age, COUNT(*) FROM people GROUP BY age, educ ORDER BY age");
  ASSERT_TRUE(query) << query.error().sentence();
  EXPECT_EQ(query->keys[0].expression.column_name(), "age");
  EXPECT_EQ(query->keys[query->order[0].key].name, "age");
}

TEST(SqlQuery, AcceptsTheWholeGrammar) {
  for (const char* const x : {"age + educ * 2 - 1",
                              "age // educ",
                              "age % 7",
                              "-age",
                              "ABS(educ)",
                              "CLAMP(weight, 0, 100.5)",
                              "CLAMP(id, -5, 5)",
                              "CASE WHEN age > 5 THEN 1 ELSE 0 END",
                              "CASE educ WHEN 1 THEN 2.5 ELSE income END",
                              "IF(member, 1, 0)",
                              "COALESCE(CLAMP(id, 0, 9), age)",
                              "IFNULL(age, 0)",
                              "NULLIF(age, 0)",
                              "CLAMP(income / age, 0, 1e6)",
                              "FLOOR(income)",
                              "CEIL(income)",
                              "ROUND(income)",
                              "EXTRACT(year FROM born)",
                              "date_part('dow', seen)",
                              "year(seen)",
                              "CAST(member AS INTEGER)",
                              "CAST(income AS INTEGER)",
                              "CLAMP(CAST(region AS DOUBLE), 0, 1)",
                              "BUCKET(income, 1000)",
                              "BUCKET(age, 0.5)",
                              "income * 0.5",
                              "CASE WHEN IS_CLAMPED(income * 0.5) THEN 1 END",
                              "CASE WHEN seen BETWEEN DATE '2020-01-01' AND '2020-12-31' THEN 1 ELSE 0 END",
                              "age::DOUBLE / 3",
                              "CASE WHEN region IN ('north', 'south') AND NOT (member OR age IS NULL) THEN 1 END",
                              "CASE WHEN region NOT IN ('x') AND seen IS NOT NULL AND member = TRUE THEN 1 END"}) {
    const Result<Query> query = read("SELECT SUM(" + std::string(x) + ") AS s, COUNT(*) FROM people");
    EXPECT_TRUE(query) << x << "\n" << query.error().sentence();
  }
}

TEST(SqlQuery, KnowsTheRangeOfAnExpression) {
  const auto span = [](const std::string& x) {
    return read("SELECT SUM(" + x + ") FROM people")->aggregations[0].argument->span();
  };
  EXPECT_EQ(span("age"), Span(IntegerSpan{0, 120}));
  EXPECT_EQ(span("age * educ"), Span(IntegerSpan{-360, 1920}));
  EXPECT_EQ(span("age - educ"), Span(IntegerSpan{-16, 123}));
  EXPECT_EQ(span("id % 10"), Span(IntegerSpan{-9, 9}));
  EXPECT_EQ(span("CLAMP(income / 2, 10, 50)"), Span(RealSpan{10, 50}));
  EXPECT_EQ(span("year(born)"), Span(IntegerSpan{1942, 2024}));
  EXPECT_EQ(span("CASE WHEN member THEN income END"), Span(RealSpan{0, 200000}));
  EXPECT_EQ(span("COALESCE(age, -1)"), Span(IntegerSpan{-1, 120}));
  EXPECT_EQ(span("BUCKET(educ, 5)"), Span(IntegerSpan{-5, 15}));
  EXPECT_EQ(span("income + 0.5"), Span(RealSpan{0.5, 200000.5}));
}

TEST(SqlQuery, RefusesWithTheSentenceAndACaretBelowThePart) {
  const Result<Query> query = read("SELECT region, MODE(income)\nFROM people GROUP BY region");
  ASSERT_FALSE(query);
  EXPECT_EQ(
      query.error().sentence(),
      "MODE is not among the statistics; write COUNT(*), COUNT(x), COUNT(DISTINCT x), SUM(x), AVG(x), VARIANCE(x), "
      "STDDEV(x), MEDIAN(x), QUANTILE(x, 0.9), MIN(x) or MAX(x)\n"
      "  SELECT region, MODE(income)\n"
      "                 ^");
}

TEST(SqlQuery, NamesWhatIsNotAccepted) {
  expect_refused("SELECT SUM(DISTINCT age) FROM people", "DISTINCT", "SUM(DISTINCT");
  expect_refused("SELECT QUANTILE_CONT(age, 0.5) FROM people", "QUANTILE(x, 0.9)", "QUANTILE_CONT");
  expect_refused("SELECT COUNT(*) FILTER (WHERE member) FROM people", "FILTER", "COUNT(*) FILTER");
  expect_refused("SELECT SUM(age) / COUNT(*) FROM people", "alone in the SELECT list", "SUM(age)");
  expect_refused("SELECT SUM(id) FROM people", "CLAMP(x, lower, upper)", "id)");
  expect_refused("SELECT AVG(weight * 2) FROM people", "AVG(CLAMP(x, lower, upper)) with", "* 2");
  expect_refused("SELECT QUANTILE(weight * 2, 0.9) FROM people", "QUANTILE(CLAMP(x, lower, upper), p) with", "* 2");
  expect_refused("SELECT SUM(region) FROM people", "takes a number", "region)");
  expect_refused("SELECT SUM(member) FROM people", "CASE WHEN", "member)");
  expect_refused("SELECT COUNT(salary) FROM people", "no column \"salary\"; it has id, age", "salary");
  expect_refused("SELECT COUNT(*) FROM persons", "no table \"persons\"; it has people", "persons");
  expect_refused("SELECT COUNT(*) FROM '/etc/passwd'", "no table", "'/etc/passwd'");
  expect_refused("SELECT COUNT(*) FROM read_csv('/etc/passwd')", "not a table of the catalog", "read_csv");
  expect_refused("SELECT COUNT(*) FROM main.people", "no schema", "main.people");
  expect_refused("SELECT COUNT(*) FROM people JOIN people USING (id)", "join", "");
  expect_refused("SELECT COUNT(*) FROM (SELECT * FROM people)", "not a table of the catalog", "");
  expect_refused("SELECT * FROM people", "COUNT(*)", "* FROM");
  expect_refused("SELECT region FROM people GROUP BY region", "no statistic", "");
  expect_refused("SELECT age, COUNT(*) FROM people", "neither a key nor a statistic", "age");
  expect_refused("SELECT COUNT(*) FROM people GROUP BY age", "add it there", "age");
  expect_refused("SELECT age, COUNT(*) FROM people GROUP BY ROLLUP(age)", "ROLLUP", "age");
  expect_refused("SELECT age, COUNT(*) FROM people GROUP BY ALL", "ALL", "");
  expect_refused("SELECT age, COUNT(*) FROM people GROUP BY age, 1", "twice", "1");
  expect_refused("SELECT age, COUNT(*) FROM people GROUP BY 3", "it has 2", "3");
  expect_refused("SELECT age, COUNT(*) FROM people GROUP BY 2", "no key", "2");
  expect_refused("SELECT income, COUNT(*) FROM people GROUP BY income", "BUCKET(x, 10)", "income");
  expect_refused("SELECT id + age AS k, COUNT(*) FROM people GROUP BY k", "64 bits", "k");
  expect_refused("SELECT age, COUNT(*) FROM people GROUP BY age HAVING COUNT(*) > 3", "HAVING", "");
  expect_refused("SELECT age, COUNT(*) AS n FROM people GROUP BY age ORDER BY n", "keys only", "n");
  expect_refused("SELECT age, COUNT(*) FROM people GROUP BY age ORDER BY age NULLS FIRST", "NULLS FIRST", "age NULLS");
  expect_refused("SELECT age, COUNT(*) FROM people GROUP BY age LIMIT 3", "LIMIT", "");
  expect_refused("SELECT DISTINCT age, COUNT(*) FROM people GROUP BY age", "DISTINCT", "");
  expect_refused("SELECT COUNT(*), COUNT(*) FROM people", "another name", "COUNT(*) FROM");
  expect_refused("WITH x AS (SELECT 1) SELECT COUNT(*) FROM people", "WITH", "");
  expect_refused("SELECT COUNT(*) FROM people UNION ALL SELECT COUNT(*) FROM people", "UNION", "");
  expect_refused("SELECT COUNT(*) OVER () FROM people", "window", "COUNT(*)");
  expect_refused("SELECT COUNT(*) FROM people WHERE id = (SELECT 1)", "subquery", "");
  expect_refused("SELECT COUNT(*) FROM people WHERE id = ?", "parameter", "");
  expect_refused("SELECT COUNT(*) FROM people WHERE region LIKE 'n%'", "LIKE", "LIKE");
  expect_refused("SELECT COUNT(*) FROM people WHERE random() < 0.5", "random is not accepted; accepted are ABS",
                 "random()");
  expect_refused("SELECT COUNT(*) FROM people WHERE age", "condition", "age");
  expect_refused("SELECT COUNT(*) FROM people WHERE age = NULL", "IS NULL", "= NULL");
  expect_refused("SELECT COUNT(*) FROM people WHERE age = 'x'", "do not go together", "= 'x'");
  expect_refused("SELECT COUNT(*) FROM people WHERE born > '2020-02-30'", "2020-02-29", "> '2020");
  expect_refused("SELECT COUNT(*) FROM people WHERE member IS TRUE", "IS TRUE", "");
  expect_refused("SELECT SUM(CLAMP(age, 5, 1)) FROM people", "upside down", "CLAMP");
  expect_refused("SELECT SUM(CLAMP(age, 5)) FROM people", "CLAMP(x, 0, 100)", "CLAMP");
  expect_refused("SELECT SUM(CLAMP(age, educ, 5)) FROM people", "bounds of CLAMP", "CLAMP");
  expect_refused("SELECT SUM(BUCKET(age, 0)) FROM people", "positive", "BUCKET");
  expect_refused("SELECT SUM(CAST(age AS DECIMAL(10, 2))) FROM people", "DOUBLE", "CAST");
  expect_refused("SELECT COUNT(x.age) FROM people", "table.name", "x.age");
  expect_refused("SELECT main.sum(age) FROM people", "no schema", "main.sum");
  expect_refused("SELECT COUNT(*) FROM people TABLESAMPLE 10%", "TABLESAMPLE", "");
  expect_refused("SELECT COUNT(current_user) FROM people", "no column", "current_user");
}

TEST(SqlQuery, RefusesWhatIsNoSelect) {
  expect_refused("SELECT 'é列', age + + FROM people", "cannot be read", "FROM people");
  expect_refused("SELECT COUNT(*) FROM people; SELECT 1", "has 2", "");
  expect_refused("", "has 0", "");
  expect_refused("DROP TABLE people", "only one SELECT", "");
  expect_refused("SELECT 1e400", "1e308", "");
  expect_refused("SELECT COUNT(*)", "no table", "");
  expect_refused("DESCRIBE people", "", "");
  EXPECT_EQ(refusal(std::string("SELECT 1 \0 FROM t", 17)).sentence, "the statement has a NUL byte; remove it");
}

TEST(SqlQuery, SurvivesWhatIsDeepOrLong) {
  const auto repeated = [](std::string_view part, std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += part;
    return text;
  };
  EXPECT_FALSE(read("SELECT COUNT(" + repeated("(", 900) + "age" + repeated(")", 900) + ") FROM people WHERE"));
  EXPECT_FALSE(read("SELECT COUNT(" + repeated("abs(", 900) + "age" + repeated(")", 900) + ") FROM people"));
  EXPECT_FALSE(read("SELECT COUNT(age" + repeated("+1", 30000) + ") FROM people"));
  EXPECT_FALSE(read("SELECT 1" + repeated(" UNION SELECT 1", 4000)));
  EXPECT_FALSE(read("SELECT COUNT(" + repeated("1/", 40) + "weight) FROM people"));
  EXPECT_TRUE(read("SELECT COUNT(*) FROM people WHERE age IN (1" + repeated(",1", 9000) + ")"));
  EXPECT_TRUE(read("SELECT COUNT(*) FROM people WHERE age = 1" + repeated(" OR age = 2", 900)));
}

TEST(SqlQuery, ThreadsParseAtOnce) {
  std::vector<std::thread> threads;
  std::atomic<int> right = 0;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int j = 0; j < 25; ++j) right += read("SELECT COUNT(*) FROM people") && !read("SELECT COUNT(* FROM people");
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, 100);
}

// Reading a query's own text gives the query again.
void expect_round_trips(std::uint64_t seed, int count) {
  testing::RandomExpressions random(seed, testing::people());
  for (int i = 0; i < count; ++i) {
    Query query{"people", random.condition(3), {}, {{Aggregate::count, random.any(3), "the \"count\""}}, {{false, 0}},
                {}};
    const Expression key = random.any(3);
    const auto* const span = std::get_if<IntegerSpan>(&key.span());
    const bool good = key.type() != Type::real && (span == nullptr || is_narrow(*span));
    if (good && key.operation() != Operation::literal) {
      query.keys.push_back({key, "k"});
      query.outputs.insert(query.outputs.begin(), {true, 0});
      query.order.push_back({0, i % 2 == 0});
    }
    const Result<Query> again = read(canonical(query));
    ASSERT_TRUE(again) << canonical(query) << "\n" << again.error().sentence();
    ASSERT_EQ(*again, query) << canonical(query) << "\n" << canonical(*again);
  }
}

TEST(SlowSqlQuery, CanonicalTextReadsBackAsTheSameQuery) { expect_round_trips(5, 500); }
TEST(HeavySqlQuery, CanonicalTextOfManyQueriesReadsBackAsTheSame) { expect_round_trips(6, 10000); }

}  // namespace
}  // namespace vernier::query
