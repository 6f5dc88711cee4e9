#include "vernier/query/dialect/dialect.hpp"

#include <gtest/gtest.h>

#include "support/hostile_texts.hpp"
#include "support/random_expressions.hpp"
#include "support/tables.hpp"
#include "vernier/core/hash.hpp"
#include "vernier/query/expression/render.hpp"

namespace vernier::query {
namespace {

const std::vector<const Dialect*>& servers() {
  static const std::vector<const Dialect*> all = {&postgresql_dialect(), &trino_dialect(), &spark_dialect()};
  return all;
}

TEST(Dialect, WritesTextsInHexSoThatNothingInThemCanEndThem) {
  for (const Dialect* const one : servers()) {
    for (const std::string& text : testing::hostile_texts()) {
      const std::string sql = one->text(text);
      const std::size_t at = sql.find(hex(text));
      ASSERT_NE(at, std::string::npos) << one->name();
      const std::string around = sql.substr(0, at) + sql.substr(at + hex(text).size());
      EXPECT_EQ(around, one->text("")) << one->name() << ": what stands around is the same for every text";
    }
  }
}

// Within the quotes every quote is doubled, so that it ends nothing.
TEST(Dialect, DoublesTheQuotesOfNames) {
  for (const Dialect* const one : servers()) {
    const char quote = one->identifier("x").front();
    for (const std::string& text : testing::hostile_texts()) {
      const std::string sql = one->identifier(text);
      ASSERT_EQ(sql.front(), quote);
      ASSERT_EQ(sql.back(), quote);
      std::string back;
      for (std::size_t i = 1; i + 1 < sql.size(); ++i) {
        if (sql[i] == quote) {
          ASSERT_EQ(sql[++i], quote) << one->name() << ": " << text;
        }
        back += sql[i];
      }
      EXPECT_EQ(back, text) << one->name();
    }
  }
}

// What engines disagree on stands in no statement: docs/theory/engines.md.
TEST(Dialect, WritesNothingOnWhichEnginesDisagree) {
  testing::RandomExpressions random(5, testing::people());
  for (int i = 0; i < 400; ++i) {
    const Expression x = random.any(1 + i % 4);
    for (const Dialect* const one : servers()) {
      const std::string sql = rendered(x, *one);
      for (const char* word :
           {"isnan", "isfinite", "concat", "random", "HUGEINT", "TRY_CAST", "regexp_full_match", "//", ">>"}) {
        EXPECT_EQ(sql.find(word), std::string::npos) << one->name() << ": " << word << " in " << sql;
      }
    }
  }
}

TEST(Dialect, WritesConstantsOfExactlyTheirType) {
  EXPECT_EQ(postgresql_dialect().constant(0.1), "CAST('0.1' AS DOUBLE PRECISION)");
  EXPECT_EQ(postgresql_dialect().constant(INT64_MIN), "CAST('-9223372036854775808' AS BIGINT)");
  EXPECT_EQ(postgresql_dialect().constant(std::string("a'")), "(convert_from('\\x6127'::bytea, 'UTF8') COLLATE \"C\")");
  EXPECT_EQ(spark_dialect().constant(std::string("a\\")), "CAST(X'615c' AS STRING)");
  EXPECT_EQ(trino_dialect().constant(Day{0}), "CAST('1970-01-01' AS DATE)");
  EXPECT_EQ(duckdb_dialect().constant(std::string("a'")), "'a'''");
  EXPECT_EQ(duckdb_dialect().constant(true), "TRUE");
}

// It marks a place in portable statements, which is filled in when they run.
TEST(Dialect, WritesNoControlCharacterOfAText) {
  EXPECT_EQ(duckdb_dialect().text("a\1b'\1"), "('a' || chr(1) || ('b''' || chr(1) || ''))");
  for (const char* const pattern : {"a\1%", "%a\1", "a\1", "%\1%_"}) {
    EXPECT_EQ(duckdb_dialect().like("x", like_pattern(pattern)).find('\1'), std::string::npos) << pattern;
  }
}

TEST(Dialect, IsFoundByItsName) {
  for (const std::string& name : dialect_names()) EXPECT_EQ(dialect_named(name)->name(), name);
  EXPECT_EQ(dialect_named("oracle"), nullptr);
}

}  // namespace
}  // namespace vernier::query
