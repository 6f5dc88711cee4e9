#include <chrono>

#include <gtest/gtest.h>
#include <unistd.h>

#include "support/mutations.hpp"
#include "support/tables.hpp"
#include "vernier/query/duckdb/sql.hpp"
#include "vernier/query/expression/render.hpp"
#include "vernier/query/translate/syntax.hpp"

// Bent statements: the front door neither crashes nor hangs, and always has an answer: a query, or a sentence.
namespace vernier::query {
namespace {

std::vector<std::string> corpus() {
  return {
      "SELECT region, COUNT(*) AS people, AVG(income) AS income FROM people WHERE age >= 18 GROUP BY region",
      "SELECT BUCKET(age, 10) AS b, educ, SUM(CLAMP(weight, 0, 100.5)) FROM people GROUP BY b, 2 ORDER BY b DESC, educ",
      "SELECT CASE WHEN age > 64 THEN 'old' WHEN age < 18 THEN 'young' ELSE 'other' END AS k, COUNT(id) FROM people "
      "GROUP BY k",
      "SELECT COUNT(*) FROM people WHERE age BETWEEN 1 AND 2 AND educ NOT BETWEEN 3 AND 4",
      "SELECT COUNT(*) FROM people WHERE age IN (1, 2, 3) AND region NOT IN ('x', 'it''s') OR NOT member",
      "SELECT SUM(age + educ * 2 - age // 3 + age % 7), AVG(-age), SUM(CLAMP(income / age, 0, 1e6)) FROM people p",
      "SELECT year(born) AS y, EXTRACT(month FROM seen) AS m, COUNT(*) FROM people WHERE seen >= DATE '2020-01-01' "
      "GROUP BY 1, 2",
      "SELECT COALESCE(age, 0) AS a, NULLIF(educ, 1) AS e, COUNT(*) FROM people GROUP BY a, e",
      "SELECT SUM(CAST(member AS INTEGER)), SUM(CLAMP(TRY_CAST(region AS DOUBLE), -1, 1)), COUNT(age::VARCHAR) FROM "
      "people",
      "SELECT COUNT(CASE WHEN IS_CLAMPED(CLAMP(weight, 0, 5) + age) THEN 1 END) AS n FROM people WHERE "
      "is_clamped(born)",
      "SELECT COUNT(*) FROM people WHERE seen IS NOT NULL AND weight IS NULL AND rate = -0.5e-3",
      "SELECT \"Odd \"\"name\"\"; --\" AS k, COUNT(*) FROM \"people\" AS p GROUP BY k ORDER BY 1",
      "SELECT SUM(age), MEDIAN(age), QUANTILE(age, 0.9), COUNT(DISTINCT id) FROM people GROUP BY ROLLUP(region, educ) "
      "HAVING COUNT(*) > 3",
      "SELECT PERCENTILE_CONT(0.9) WITHIN GROUP (ORDER BY income DESC) AS p, APPROX_QUANTILES(age, 4)[OFFSET(1)] AS q "
      "FROM people LIMIT 10 OFFSET 2",
      "WITH a AS (SELECT region AS place, age + 1 AS x FROM people WHERE member), b AS (SELECT * FROM a WHERE x > 3) "
      "SELECT place, COUNT(*) AS n FROM b GROUP BY place",
      "SELECT COUNT(*) FROM (SELECT CASE age WHEN 1 THEN 2 WHEN 3 THEN 4 ELSE educ END AS x FROM people) AS q WHERE x "
      "< 5",
      "SELECT SUM(age) OVER (PARTITION BY region ORDER BY educ) FROM (SELECT * FROM people) s TABLESAMPLE 10%",
      "SELECT region, AVG(income) AS m FROM people GROUP BY region HAVING COUNT(*) > 3 AND m BETWEEN 1 AND 2 ORDER BY "
      "m "
      "DESC, SUM(age) / 2 LIMIT 3 OFFSET 1",
      "SELECT 100.0 * COUNT(*) FILTER (WHERE member) / NULLIF(COUNT(*), 0) AS share, CASE WHEN COUNT(*) IN (1, 2) THEN "
      "ROUND(AVG(age), 1) WHEN MIN(age) BETWEEN 0 AND 1 THEN POWER(SUM(age), 2) ELSE GREATEST(MIN(age), 3) END AS x "
      "FROM "
      "people",
      "SELECT COUNT(*) FROM people WHERE region LIKE 'a%_b' AND region NOT ILIKE '%X' OR SUBSTRING(region, 1, 2) = "
      "UPPER('a') || TRIM(region)",
      "SELECT CORR(income, age) AS r, REGR_SLOPE(income, educ) + REGR_R2(age, educ) AS s, COVAR_POP(age, income) FROM "
      "people",
      "SELECT TOP 3 country, COUNT(*) AS n FROM people p, regions r WHERE p.region = r.region AND area > 3 GROUP BY "
      "country ORDER BY n",
      "SELECT country, COUNT(*) AS n FROM regions r RIGHT JOIN people p ON p.region = r.region GROUP BY country",
      "SELECT DATE_DIFF('month', born, seen) AS m, COUNT(*) FROM people WHERE seen >= DATE '2020-01-31' - INTERVAL 30 "
      "DAY GROUP BY 1",
      "SELECT SUM(LEAST(age, educ, 3)), SUM(CLAMP(POWER(income, 2) + ROUND(rate, 2), 0, 9)) FROM people",
      "SELECT a FROM t WHERE x = $1 AND y IN (SELECT y FROM u) AND z LIKE 'x%' ESCAPE '\\'",
      "SELECT x -> y, list_transform(l, x -> x + 1), COLUMNS('a.*'), a[1], {'a': 1}, [1, 2] FROM "
      "read_csv('/etc/passwd')",
      "PIVOT t ON a USING sum(x)",
      "SELECT 12345678901234567890, 1e400, 0.1, .5, 5., 1_000, 0x10, TRUE, NULL, INTERVAL 3 DAY /* c */ -- d",
  };
}

std::vector<std::string> words() {
  return {"age",
          "income",
          "region",
          "COUNT(*)",
          "SUM(",
          "AVG(",
          "CLAMP(",
          "IS_CLAMPED(",
          "BUCKET(",
          "CASE WHEN ",
          "END",
          "NULL",
          "TRUE",
          "'x'",
          "''",
          "'",
          "\"",
          "\"\"",
          "1",
          "-1",
          "1e400",
          "0.1",
          "1e-400",
          "9223372036854775808",
          "::",
          "**",
          "//",
          "->",
          "->>",
          "lambda x:",
          "NOT ",
          "AND",
          "OR",
          "(",
          ")",
          "((",
          "[",
          "{",
          "- ",
          "abs(",
          "(SELECT ",
          "EXISTS(",
          "CAST(",
          "AS DATE)",
          "IN (",
          "BETWEEN",
          "IS NULL",
          "FILTER",
          "HAVING ",
          "LIMIT 3",
          "LIKE 'a%'",
          "CORR(",
          "BETWEEN 0 AND 1",
          "CASE age WHEN 1 ",
          "CASE CASE ",
          "WITH a AS (",
          "INTERVAL 3 DAY",
          "GREATEST(",
          "JOIN regions USING (region)",
          "OVER",
          "PIVOT",
          "LATERAL",
          "QUALIFY",
          "SAMPLE",
          "COLLATE",
          "VALUES",
          "GROUPING",
          "CUBE",
          "DISTINCT",
          "ORDER BY ALL",
          "DEFAULT",
          "$1",
          "?",
          ";",
          "/*",
          "*/",
          "--",
          "\\",
          "$$",
          "E'\\",
          "x'AB'",
          "\u00e9",
          "\u200b",
          "\ufeff",
          "#1",
          "@",
          "*",
          "GROUP BY",
          "FROM people",
          "WHERE",
          "SELECT",
          "INSERT",
          "CREATE",
          "ATTACH",
          "COPY",
          "PRAGMA",
          "EXPLAIN",
          "SHOW",
          "UNION",
          "date_part('year', born)"};
}

struct Tally {
  int accepted = 0;
  std::chrono::duration<double> slowest{};
};

// An accepted statement can be rendered, and says the same when it is read from its own text.
void expect_consistent(const Query& query, const Catalog& catalog) {
  EXPECT_TRUE(!query.filter || !rendered(*query.filter).empty());
  const std::string text = canonical(query);
  if (!check_statement(text)) return;  // a name that was not given repeats its expression, so that it may be too long
  const Result<Query> again = read_query(text, catalog);
  EXPECT_TRUE(again && *again == query) << text;
}

void try_one(const std::string& sql, const Catalog& catalog, Tally& tally) {
  const auto start = std::chrono::steady_clock::now();
  const Result<Query> query = read_query(sql, catalog);
  tally.slowest = std::max<std::chrono::duration<double>>(tally.slowest, std::chrono::steady_clock::now() - start);
  if (query) {
    ++tally.accepted;
    expect_consistent(*query, catalog);
  } else {
    EXPECT_GT(query.error().sentence().size(), 20U) << sql;
    EXPECT_EQ(query.error().kind, ErrorKind::invalid) << sql;
  }
}

void expect_answers(std::uint64_t seed, int count) {
  const Catalog catalog = testing::people_catalog();
  testing::Mutations mutations(seed, corpus(), words());
  Tally tally;
  for (int i = 0; i < count && !::testing::Test::HasFailure(); ++i) {
    alarm(20);  // ends the test where a statement hangs
    try_one(mutations.next(), catalog, tally);
  }
  alarm(0);
  EXPECT_GT(tally.accepted, count / 200);
  EXPECT_LT(tally.slowest.count(), 1);
  ::testing::Test::RecordProperty("accepted", tally.accepted);
}

// The shortest of several, since others may use the machine.
double milliseconds_to_read(const std::string& sql, const Catalog& catalog) {
  std::chrono::duration<double, std::milli> shortest{1e9};
  for (int i = 0; i < 20; ++i) {
    const auto start = std::chrono::steady_clock::now();
    static_cast<void>(read_query(sql, catalog));
    shortest = std::min<std::chrono::duration<double, std::milli>>(shortest, std::chrono::steady_clock::now() - start);
  }
  return shortest.count();
}

TEST(SlowReading, TakesTwoMillisecondsAtMost) {
  const Catalog catalog = testing::people_catalog();
  for (const std::string& sql : corpus()) EXPECT_LT(milliseconds_to_read(sql, catalog), 2) << sql;
}

TEST(SlowFuzz, TwentyThousandBentStatementsGetAnAnswer) { expect_answers(11, 20000); }

// A million, in parts that stay below the time limit of a test.
TEST(HeavyFuzz, BentStatementsGetAnAnswerFirstPart) { expect_answers(21, 125000); }
TEST(HeavyFuzz, BentStatementsGetAnAnswerSecondPart) { expect_answers(22, 125000); }
TEST(HeavyFuzz, BentStatementsGetAnAnswerThirdPart) { expect_answers(23, 125000); }
TEST(HeavyFuzz, BentStatementsGetAnAnswerFourthPart) { expect_answers(24, 125000); }
TEST(HeavyFuzz, BentStatementsGetAnAnswerFifthPart) { expect_answers(25, 125000); }
TEST(HeavyFuzz, BentStatementsGetAnAnswerSixthPart) { expect_answers(26, 125000); }
TEST(HeavyFuzz, BentStatementsGetAnAnswerSeventhPart) { expect_answers(27, 125000); }
TEST(HeavyFuzz, BentStatementsGetAnAnswerEighthPart) { expect_answers(28, 125000); }

}  // namespace
}  // namespace vernier::query
