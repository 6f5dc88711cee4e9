#include <gtest/gtest.h>

#include "vernier/query/translate/syntax.hpp"

namespace vernier::query {
namespace {

std::string caret(std::string problem, std::string_view sql, std::optional<std::size_t> byte) {
  return with_caret(Error{ErrorKind::invalid, std::move(problem)}, sql, byte).sentence();
}

TEST(SqlText, RefusesWhatTheParserShouldNotSee) {
  EXPECT_TRUE(check_statement("SELECT 'é列😀' FROM t"));
  EXPECT_TRUE(check_statement(std::string(greatest_statement, 'a')));
  EXPECT_FALSE(check_statement(std::string(greatest_statement + 1, 'a')));
  EXPECT_FALSE(check_statement(std::string_view("SELECT 1 \0 FROM t", 17)));
}

TEST(SqlText, RefusesInvalidUtf8) {
  for (const char* const text : {"\xff", "\xc3", "\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80",
                                 "\xf0\x80\x80\x80", "\xe5\x88", "a\x80", "\xf5\x80\x80\x80"}) {
    EXPECT_FALSE(check_statement(text)) << text;
  }
}

TEST(SqlText, RefusesManyArrowsAndLambdas) {
  EXPECT_TRUE(check_statement("x->x->x->x->x->x->x->x->a"));
  EXPECT_FALSE(check_statement("x->x->x->x->x->x->x->x->x->a"));
  EXPECT_FALSE(check_statement("x->x->x->x->x->x->x->x->a LaMbDa"));
}

TEST(SqlText, PointsAtTheCharacterAndNotTheByte) {
  EXPECT_EQ(caret("No.", "SELECT 'é列', x FROM t", 15), "No.\n  SELECT 'é列', x FROM t\n              ^");
  EXPECT_EQ(caret("No.", "SELECT a,\n\tb\nFROM t", 11), "No.\n   b\n   ^");
  EXPECT_EQ(caret("No.", "abc", std::nullopt), "No.");
  EXPECT_EQ(caret("No.", "abc", 3), "No.\n  abc\n     ^");
  EXPECT_EQ(caret("No.", "abc", 99), "No.");
}

TEST(SqlText, ShowsAPieceOfALongLine) {
  const std::string told = caret("No.", std::string(5000, 'a') + "b" + std::string(5000, 'a'), 5000);
  const std::size_t second = told.rfind('\n');
  const std::size_t first = told.rfind('\n', second - 1);
  EXPECT_LT(told.size(), 250U);
  EXPECT_EQ(told[first + told.size() - second - 1], 'b');
}

TEST(SqlText, ShowsNamesWithoutControlCharacters) {
  EXPECT_EQ(shown("a\nb\x1b"), "a b ");
  EXPECT_EQ(shown(std::string(59, 'a') + "é"), std::string(59, 'a') + "...");
}

TEST(SqlText, FindsTheByteOfACharacter) {
  EXPECT_EQ(byte_of_character("é列x", 0), 0U);
  EXPECT_EQ(byte_of_character("é列x", 2), 5U);
  EXPECT_EQ(byte_of_character("é列x", 9), 6U);
}

}  // namespace
}  // namespace vernier::query
