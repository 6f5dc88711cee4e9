#include <gtest/gtest.h>

#include "vernier/core/utf8.hpp"

namespace vernier {
namespace {

TEST(SeenText, LeavesWhatCanBeSeen) {
  for (const char* text : {"", "north", "Zürich – \"a\\b\"", "北海道", "\U0001F600"}) EXPECT_EQ(seen_text(text), text);
}

TEST(SeenText, SpellsOutControls) {
  EXPECT_EQ(seen_text("a\nb\tc\x1b[2J\x7f"), "a\\x0ab\\x09c\\x1b[2J\\x7f");
  EXPECT_EQ(seen_text("\xc2\x9b"
                      "31m"),
            "\\u{9b}31m");
  EXPECT_EQ(seen_text("a\xe2\x80\xae"
                      "b\xe2\x81\xa9"),
            "a\\u{202e}b\\u{2069}");
}

TEST(SeenText, KeepsLinesWhereADocumentHasThem) { EXPECT_EQ(seen_lines("a\r\n\tb\x1b"), "a\r\n\tb\\x1b"); }

TEST(SeenText, SpellsOutBytesThatAreNoText) {
  EXPECT_EQ(seen_text("\xff\xc3"), "\\xff\\xc3");
  EXPECT_EQ(seen_text("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // half of a pair
}

// Whatever goes in, only what can be seen comes out.
TEST(SeenText, HasNothingUnseenInIt) {
  for (char32_t c = 0; c <= 0x10FFFF; c += c < 0x3000 ? 1 : 61) {
    std::string text;
    append_character(text, c);
    const std::string shown = seen_text(text);
    for (std::string_view rest = shown; !rest.empty();) {
      const char32_t one = take_character(rest);
      ASSERT_TRUE(one != no_character && !is_unseen(one)) << static_cast<unsigned>(c);
    }
  }
}

}  // namespace
}  // namespace vernier
