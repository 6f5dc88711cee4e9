#include "cli/wrapped_text.hpp"

#include <gtest/gtest.h>

namespace vernier::cli {
namespace {

TEST(WrappedText, BreaksBetweenWords) {
  const std::string forty(40, 'x');
  EXPECT_EQ(wrapped("a   ", "b c", 4), "a   b c\n");
  EXPECT_EQ(wrapped("a   ", forty + " " + forty + " é", 4), "a   " + forty + "\n    " + forty + " é\n");
  EXPECT_EQ(wrapped("", std::string(79, 'x') + " ", 2), std::string(79, 'x') + "\n");
  EXPECT_EQ(wrapped("    ", std::string(200, 'x'), 4), "    " + std::string(200, 'x') + "\n");
  EXPECT_EQ(wrapped("a", "", 1), "a\n");
}

TEST(ShortenedText, KeepsWholeCharacters) {
  EXPECT_EQ(shortened("größe", 5), "größe");
  EXPECT_EQ(shortened("größen", 5), "größ…");
  EXPECT_EQ(shortened("ßßß", 2), "ß…");
}

}  // namespace
}  // namespace vernier::cli
