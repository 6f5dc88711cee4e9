#include <gtest/gtest.h>

#include "vernier/core/names.hpp"

namespace vernier {
namespace {

TEST(Suggestion, NamesOnlyWordsThatAreNear) {
  const std::vector<std::string> known = {"--density", "--scale", "law"};
  EXPECT_EQ(suggestion("--densty", known), " (did you mean --density?)");
  EXPECT_EQ(suggestion("lwa", known), " (did you mean law?)");
  EXPECT_EQ(suggestion("laws", known), " (did you mean law?)");
  EXPECT_EQ(suggestion("--denxxxy", known), "");
}

TEST(Suggestion, DoesNotCompareEndlessWords) {
  EXPECT_EQ(suggestion(std::string(201, 'a'), {std::string(201, 'a') + "b"}), "");
}

}  // namespace
}  // namespace vernier
