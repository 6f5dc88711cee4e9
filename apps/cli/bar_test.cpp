#include "cli/bar.hpp"

#include <gtest/gtest.h>

namespace vernier::cli {
namespace {

TEST(Bar, FillsItsPart) {
  EXPECT_EQ(bar(400, 10), "████░░░░░░");
  EXPECT_EQ(bar(449, 10), "████░░░░░░");
  EXPECT_EQ(bar(450, 10), "█████░░░░░");
}

TEST(Bar, ShowsWhatIsNotNothingAndWhatIsNotAll) {
  EXPECT_EQ(bar(0, 4), "░░░░");
  EXPECT_EQ(bar(1, 4), "█░░░");
  EXPECT_EQ(bar(999, 4), "███░");
  EXPECT_EQ(bar(1000, 4), "████");
}

}  // namespace
}  // namespace vernier::cli
