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
      "SELECT SUM(x), MEDIAN(x), QUANTILE(x, 0.9), COUNT(DISTINCT x) FROM t GROUP BY ROLLUP(a, b) HAVING COUNT(*) > 3",
      "SELECT percentile_cont(0.9) WITHIN GROUP (ORDER BY x) FROM t LIMIT 10 OFFSET 2",
      "WITH c AS (SELECT 1 AS x) SELECT COUNT(*) FROM c JOIN d USING (k) UNION ALL SELECT 2",
      "SELECT SUM(x) OVER (PARTITION BY a ORDER BY b) FROM (SELECT * FROM t) s TABLESAMPLE 10%",
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
