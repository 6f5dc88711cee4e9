#include <thread>

#include <gtest/gtest.h>

#include "support/random_expressions.hpp"
#include "support/tables.hpp"
#include "vernier/query/duckdb/sql.hpp"
#include "vernier/query/toml/reader.hpp"
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

std::vector<std::string> forms_of_statistics() {
  std::vector<std::string> forms;
  for (const AggregateFacts& one : aggregates) {
    if (!one.forms.empty()) forms.emplace_back(one.forms);
  }
  return forms;
}

TEST(SqlQuery, RefusesWithTheSentenceAndACaretBelowThePart) {
  const Result<Query> query = read("SELECT region, MODE(income)\nFROM people GROUP BY region");
  ASSERT_FALSE(query);
  EXPECT_EQ(query.error().sentence(), "MODE is not among the statistics; write " + listed(forms_of_statistics(), "or") +
                                          "\n  SELECT region, MODE(income)\n"
                                          "                 ^");
}

TEST(SqlQuery, NamesWhatIsNotAccepted) {
  expect_refused("SELECT SUM(DISTINCT age) FROM people", "DISTINCT", "SUM(DISTINCT");
  expect_refused("SELECT SUM(id) FROM people", "CLAMP(id, 0, 100) in place of id", "id)");
  expect_refused("SELECT AVG(weight * 2) FROM people",
                 "AVG needs bounds; write CLAMP((weight * 2e0), 0, 100) in place of", "* 2");
  expect_refused("SELECT QUANTILE(weight * 2, 0.9) FROM people",
                 "QUANTILE needs bounds; write CLAMP((weight * 2e0), 0, 100) in place of", "* 2");
  expect_refused("SELECT SUM(region) FROM people", "takes a number", "region)");
  expect_refused("SELECT MEDIAN(member) FROM people", "CASE WHEN", "member)");
  expect_refused("SELECT COUNT(salary) FROM people", "no column \"salary\"; it has id, age", "salary");
  expect_refused("SELECT COUNT(*) FROM persons", "no table \"persons\"; it has people", "persons");
  expect_refused("SELECT COUNT(*) FROM '/etc/passwd'", "no table", "'/etc/passwd'");
  expect_refused("SELECT COUNT(*) FROM read_csv('/etc/passwd')", "not a table of the catalog", "read_csv");
  expect_refused("SELECT COUNT(*) FROM main.persons", "no schema", "main.persons");
  expect_refused("SELECT COUNT(*) FROM people JOIN people USING (id)", "two tables are called", "");
  expect_refused("SELECT * FROM people", "COUNT(*)", "* FROM");
  expect_refused("SELECT age, COUNT(*) FROM people", "neither a key nor a statistic", "age");
  expect_refused("SELECT age, COUNT(*) FROM people GROUP BY ROLLUP(age)", "ROLLUP", "age");
  expect_refused("SELECT age, COUNT(*) FROM people GROUP BY age, 1", "twice", "1");
  expect_refused("SELECT age, COUNT(*) FROM people GROUP BY 3", "it has 2", "3");
  expect_refused("SELECT age, COUNT(*) FROM people GROUP BY 2", "no key", "2");
  expect_refused("SELECT COUNT(*), COUNT(*) FROM people", "another name", "COUNT(*) FROM");
  expect_refused("SELECT COUNT(*) FROM people UNION ALL SELECT COUNT(*) FROM people", "UNION", "");
  expect_refused("SELECT COUNT(*) OVER () FROM people", "window", "COUNT(*)");
  expect_refused("SELECT COUNT(*) FROM people WHERE id = (SELECT 1)", "subquery", "");
  expect_refused("SELECT COUNT(*) FROM people WHERE id = ?", "parameter", "");
  expect_refused("SELECT COUNT(*) FROM people WHERE random() < 0.5", "a number by chance is no part of a row",
                 "random()");
  expect_refused("SELECT COUNT(*) FROM people WHERE born < current_date", "with the time at which it is run",
                 "current_date");
  expect_refused("SELECT COUNT(*) FROM people WHERE age", "condition", "age");
  expect_refused("SELECT COUNT(*) FROM people WHERE age = NULL", "IS NULL", "= NULL");
  expect_refused("SELECT COUNT(*) FROM people WHERE age = 'x'", "do not go together", "= 'x'");
  expect_refused("SELECT COUNT(*) FROM people WHERE born > '2020-02-30'", "2020-02-29", "> '2020");
  expect_refused("SELECT SUM(CLAMP(age, 5, 1)) FROM people", "upside down", "CLAMP");
  expect_refused("SELECT SUM(CLAMP(age, 5)) FROM people", "CLAMP(x, 0, 100)", "CLAMP");
  expect_refused("SELECT SUM(CLAMP(age, educ, 5)) FROM people", "bounds of CLAMP", "CLAMP");
  expect_refused("SELECT SUM(BUCKET(age, 0)) FROM people", "positive", "BUCKET");
  expect_refused("SELECT SUM(CAST(age AS TIME)) FROM people", "is no time", "CAST");
  expect_refused("SELECT COUNT(x.age) FROM people", "table.name", "x.age");
  expect_refused("SELECT COUNT(*) FROM people TABLESAMPLE 10%", "TABLESAMPLE", "");
  expect_refused("SELECT COUNT(current_user) FROM people", "no column", "current_user");
}

// Several forms of one question are one query.
TEST(SqlQuery, ReadsOneQuestionInSeveralForms) {
  const std::vector<std::pair<std::string, std::string>> same = {
      {"SELECT SUM(IFF(member, age, 0)) AS s FROM people",
       "SELECT SUM(CASE WHEN member THEN age ELSE 0 END) AS s FROM people"},
      {"SELECT COUNT(*) AS n FROM people WHERE MOD(age, 7) = 1", "SELECT COUNT(*) AS n FROM people WHERE age % 7 = 1"},
      {"SELECT COUNT(*) AS n FROM main.people", "SELECT COUNT(*) AS n FROM people"},
      {"SELECT SUM(member) AS s FROM people", "SELECT SUM(CAST(member AS INTEGER)) AS s FROM people"},
      {"SELECT region, n FROM (SELECT region, COUNT(*) AS n FROM people GROUP BY region) AS t WHERE n > 3 LIMIT 2",
       "SELECT region, COUNT(*) AS n FROM people GROUP BY region HAVING COUNT(*) > 3 LIMIT 2"},
      {"SELECT COUNT(*) AS n FROM people WHERE (age = 1 AND member) OR (age = 1 AND educ = 2)",
       "SELECT COUNT(*) AS n FROM people WHERE age = 1 AND (member OR educ = 2)"},
      {"SELECT COUNT(*) AS n FROM people WHERE born >= DATEADD('day', -30, '2020-01-31')",
       "SELECT COUNT(*) AS n FROM people WHERE born >= DATE '2020-01-01'"},
  };
  for (const auto& [one, other] : same) {
    const Result<Query> first = read(one), second = read(other);
    ASSERT_TRUE(first && second) << one << (first ? "" : first.error().sentence());
    EXPECT_EQ(canonical(*first), canonical(*second)) << one;
  }
}

// What an operand that is written several times can grow to is bounded.
TEST(SqlQuery, RefusesNestedCopies) {
  std::string x = "age";
  for (int i = 0; i < 40; ++i) x = "DECODE(" + x + ", 1, 2, 3, 4, 5)";
  EXPECT_FALSE(read("SELECT SUM(" + x + ") AS s FROM people"));
}

// What is made of statistics, and rows that are chosen by them, read back as the same query.
TEST(SqlQuery, ReadsWhatIsMadeOfStatistics) {
  for (const std::string sql : {
           "SELECT SUM(age) / COUNT(*) AS a, 100.0 * COUNT(*) FILTER (WHERE member) / COUNT(*) AS b FROM people",
           "SELECT region, COUNT(*) AS n FROM people GROUP BY region HAVING AVG(age) > 3 ORDER BY SUM(age) / 2 DESC "
           "LIMIT 3",
           "SELECT COUNT(*) FROM people GROUP BY age ORDER BY 1 OFFSET 2",
           "SELECT CASE WHEN COUNT(*) > 5 THEN ROUND(AVG(age), 1) ELSE -1 END AS a FROM people",
           "SELECT COUNT(*) AS n FROM (SELECT age + 1 AS x FROM people WHERE member) AS p WHERE x > 3",
       }) {
    const Result<Query> query = read(sql);
    ASSERT_TRUE(query) << query.error().sentence();
    const Result<Query> again = read(canonical(*query));
    ASSERT_TRUE(again) << canonical(*query) << again.error().sentence();
    EXPECT_EQ(canonical(*again), canonical(*query));
    EXPECT_EQ(again->formulas, query->formulas) << sql;
  }
}

TEST(SqlQuery, MeasuresEachStatisticOnce) {
  const Result<Query> query =
      read("SELECT COUNT(*) AS a, COUNT(*) AS b, COUNT(*) + SUM(age) AS c, SUM(age) AS d FROM people");
  ASSERT_TRUE(query) << query.error().sentence();
  EXPECT_EQ(query->aggregations.size(), 2U);
  EXPECT_EQ(query->formulas.size(), 2U);
}

// Two pairs with one y are two measurements.
TEST(SqlQuery, TellsPairsApartByBothParts) {
  for (const std::string sql : {
           "SELECT CORR(income, age) AS a, CORR(income, educ) AS b FROM people",
           "SELECT CORR(income, age) - CORR(income, educ) AS d FROM people",
           "SELECT region, CORR(income, age) AS a FROM people GROUP BY region HAVING CORR(income, educ) > 0",
           "SELECT region, REGR_SLOPE(income, age) AS a FROM people GROUP BY region ORDER BY REGR_SLOPE(income, educ)",
       }) {
    const Result<Query> query = read(sql);
    ASSERT_TRUE(query) << query.error().sentence();
    ASSERT_EQ(query->aggregations.size(), 2U) << sql;
    EXPECT_NE(query->aggregations[0].other, query->aggregations[1].other) << sql;
  }
  const Result<Query> same = read("SELECT CORR(income, age) AS a, CORR(income, age) + 1 AS b FROM people");
  ASSERT_TRUE(same) << same.error().sentence();
  EXPECT_EQ(same->aggregations.size(), 1U);
}

// The parser takes a AND (b AND c) for a AND b AND c.
TEST(SqlQuery, ReadsConditionsInOneOrder) {
  for (const std::string having : {"COUNT(*) > 3 AND AVG(income) BETWEEN 1 AND 2", "COUNT(*) > 3 OR COUNT(*) IN (1, 2)",
                                   "COUNT(*) > 3 AND (AVG(age) > 1 AND (SUM(age) > 2 AND AVG(age) BETWEEN 1 AND 2))"}) {
    const Result<Query> query = read("SELECT region, COUNT(*) AS n FROM people GROUP BY region HAVING " + having);
    ASSERT_TRUE(query) << query.error().sentence();
    const Result<Query> again = read(canonical(*query));
    ASSERT_TRUE(again) << again.error().sentence();
    EXPECT_EQ(*again, *query) << having;
  }
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

// What is written takes a part of it twice: BETWEEN and IN their left side, names of the SELECT list what they stand
// for. The refusal comes before there are more steps than a formula may have.
TEST(SqlQuery, BoundsFormulasWhileTheyAreMade) {
  const auto nested = [](const std::string& before, const std::string& behind, int levels) {
    std::string text = "COUNT(*)";
    for (int i = 0; i < levels; ++i) text = before + text + behind;
    return text;
  };
  const auto many = [](const std::string& part, int count) {
    std::string text = part;
    for (int i = 1; i < count; ++i) text += ", " + part;
    return text;
  };
  for (const std::string& formula : {
           nested("CASE WHEN ", " BETWEEN 0 AND 1 THEN 1 ELSE 0 END", 40),
           nested("CASE WHEN ", " IN (1, 2, 3) THEN 1 ELSE 0 END", 40),
           nested("CASE WHEN NOT ", " NOT BETWEEN 0 AND 1 THEN 1 ELSE 0 END", 40),
           nested("CASE ", " WHEN 1 THEN 2 WHEN 3 THEN 4 ELSE 5 END", 10),
           "GREATEST(COUNT(*), " + many("1", 20000) + ")",
           "COALESCE(" + many("COUNT(*)", 6000) + ")",
           "CASE WHEN COUNT(*) IN (" + many("1", 20000) + ") THEN 1 ELSE 0 END",
       }) {
    for (const std::string& sql :
         {"SELECT " + formula + " AS n FROM people", "SELECT COUNT(*) AS n FROM people ORDER BY " + formula,
          "SELECT COUNT(*) AS n FROM people HAVING " + formula + " > 0"}) {
      EXPECT_EQ(refusal(sql).sentence, "this is too long; write a shorter expression") << sql.substr(0, 200);
    }
  }
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

// What is counted of times is their numbers, and as keys they are texts.
Expression no_time(testing::RandomExpressions& random) {
  for (;;) {
    const Expression x = random.any(3);
    if (x.operation() != Operation::instant && x.operation() != Operation::elapsed) return x;
  }
}

// Reading a query's own text gives the query again.
void expect_round_trips(std::uint64_t seed, int count) {
  testing::RandomExpressions random(seed, testing::people());
  for (int i = 0; i < count; ++i) {
    Query query{"people", random.condition(3), {}, {{Aggregate::count, no_time(random), "the \"count\""}}, {{false, 0}},
                {}};
    const Expression key = no_time(random);
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
