#include "vernier/query/translate/cases.hpp"

#include <gtest/gtest.h>

#include "vernier/query/translate/syntax.hpp"

namespace vernier::query {
namespace {

std::string nested(int levels, const std::string& inner) {
  std::string text = inner;
  for (int i = 0; i < levels; ++i) text = "CASE " + text + " WHEN 1 THEN 2 WHEN 3 THEN 4 ELSE 5 END";
  return "SELECT SUM(" + text + ") FROM t";
}

TEST(Cases, CountWordsAsOftenAsTheParserWritesThem) {
  EXPECT_EQ(words_with_cases("SELECT a FROM t -- CASE"), 4);
  EXPECT_LE(words_with_cases("SELECT CASE WHEN a THEN 1 END FROM t WHERE b = 'CASE a WHEN'"), 20);
  const double once = words_with_cases(nested(1, "a + b")), twice = words_with_cases(nested(2, "a + b"));
  EXPECT_GE(twice, once + 12);
  EXPECT_GT(words_with_cases(nested(40, "a")), 1e12);
}

TEST(Cases, AreRefusedBeforeTheParserWhereTheyWouldFillTheMemory) {
  EXPECT_TRUE(check_statement(nested(3, "a")));
  EXPECT_FALSE(check_statement(nested(40, "a")));
  std::string whens = "SELECT SUM(CASE a", operand;
  for (int i = 0; i < 3000; ++i) operand += "+1", whens += i == 0 ? operand : "";
  std::string wide = "SELECT SUM(CASE a" + operand;
  for (int i = 0; i < 3000; ++i) wide += " WHEN 1 THEN 2";
  EXPECT_FALSE(check_statement(wide + " END) FROM t"));
  std::string many = "SELECT SUM(0";
  for (int i = 0; i < 500; ++i) many += " + CASE a WHEN 1 THEN 2 WHEN 3 THEN 4 END";
  EXPECT_TRUE(check_statement(many + ") FROM t"));
}

// What only looks like the end of a CASE must not make less of it.
TEST(Cases, AreNotHiddenByWordsThatAreNoKeywords) {
  for (const std::string inner :
       {"t.end", "t.when", "t.case", "$$ end $$", "E'\\' end '", "/* END */ a", "a AS end", "f(end := 1)",
        "f(end => 1)", "{end: 1}", "t.end(1)", "\u00a0END\u00a0", "'END'", "\"END\"", "/* /* */ END */ a"}) {
    EXPECT_FALSE(check_statement(nested(40, inner))) << inner;
    EXPECT_FALSE(check_statement(nested(20, nested(20, inner)))) << inner;
  }
  std::string hidden = nested(40, "a");
  for (std::size_t at = hidden.find("CASE "); at != std::string::npos; at = hidden.find("CASE ", at + 1)) {
    hidden.replace(at, 5, "CASE\u00a0");
  }
  EXPECT_FALSE(check_statement(hidden));
  EXPECT_FALSE(check_statement("SELECT 1 --\r" + nested(40, "a")));
  EXPECT_FALSE(check_statement("SELECT 1 /* /* */" + nested(40, "a")));
  std::string joined = "SELECT SUM(1";
  for (int i = 0; i < 40; ++i) joined.insert(11, "CASE ");
  for (int i = 0; i < 40; ++i) joined += "WHEN 1THEN 2WHEN 3THEN 4END+1";
  EXPECT_FALSE(check_statement(joined + ") FROM t"));
}

TEST(Cases, MayStandBesideTextsWithDollarsAndBackslashes) {
  EXPECT_TRUE(check_statement("SELECT CASE a WHEN '$' THEN 1 ELSE 0 END FROM t"));
  EXPECT_TRUE(check_statement("SELECT CASE WHEN a = '\\' THEN 1 WHEN b = '$' THEN 2 END FROM t"));
}

}  // namespace
}  // namespace vernier::query
