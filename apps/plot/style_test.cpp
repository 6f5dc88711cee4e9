#include "plot/style.hpp"

#include <gtest/gtest.h>

namespace vernier::plot {
namespace {

TEST(Words, ThatFitStayAsTheyAre) {
  EXPECT_EQ(fitted("north", 100, 13), "north");
  EXPECT_EQ(fitted("", 0, 13), "");
}

TEST(Words, ThatDoNotFitEndInAnEllipsisAndNeverInsideALetter) {
  const std::string shown = fitted("größengrößengrößen", 60, 13);
  EXPECT_LT(shown.size(), std::string("größengrößengrößen").size());
  EXPECT_TRUE(shown.ends_with("…"));
  for (double width = 0; width < 200; ++width) {
    const std::string cut = fitted("öööööööööööööööö", width, 13);
    EXPECT_TRUE(cut == "öööööööööööööööö" || (cut.size() - 3) % 2 == 0) << width;
    EXPECT_LE(words_width(cut, 13), std::max(width, words_width("…", 13)));
  }
}

TEST(Words, CountLettersAndNotBytes) {
  EXPECT_DOUBLE_EQ(words_width("öß", 10), words_width("AB", 10));
  EXPECT_GT(words_width("人口", 10), words_width("abc", 10));
  EXPECT_LT(words_width("illi", 10), words_width("mmmm", 10));
  EXPECT_DOUBLE_EQ(words_width("abc", 20), 2 * words_width("abc", 10));
}

}  // namespace
}  // namespace vernier::plot
