#include "vernier/query/translate/syntax.hpp"

#include <gtest/gtest.h>

namespace vernier::query {
namespace {

std::string nested(std::size_t depth) {
  return R"({"error": false, "statements": )" + std::string(depth, '[') + std::string(depth, ']') + "}";
}

TEST(Syntax, CountsTheNestingBeforeItReads) {
  EXPECT_TRUE(read_tree(nested(greatest_nesting - 1), ""));
  const Result<Json> deep = read_tree(nested(greatest_nesting), "");
  ASSERT_FALSE(deep);
  EXPECT_EQ(deep.error().sentence(), "the statement is nested too deeply; write a shorter one");
  EXPECT_FALSE(read_tree(nested(3'000'000), ""));
}

TEST(Syntax, DoesNotCountBracketsInStrings) {
  EXPECT_TRUE(read_tree(R"({"error": false, "text": "\"\\)" + std::string(2000, '[') + "\"}", ""));
}

TEST(Syntax, RefusesNumbersThatAreNoJson) {
  EXPECT_EQ(read_tree(R"({"error": false, "value": Infinity})", "").error().sentence(),
            "the statement has a number beyond 1e308; write a smaller one");
}

TEST(Syntax, TellsThePlaceOfAnErrorInCharacters) {
  const Result<Json> tree = read_tree(R"({"error": true, "error_type": "parser", "position": "2"})", "'é' x");
  ASSERT_FALSE(tree);
  EXPECT_TRUE(tree.error().sentence().ends_with("\n  'é' x\n    ^")) << tree.error().sentence();
}

TEST(Syntax, FindsThePlaceOfANodeInItsParts) {
  EXPECT_EQ(place(Json::parse(R"({"query_location": 7})")), 7U);
  EXPECT_EQ(place(Json::parse(R"({"query_location": 18446744073709551615, "child": [{"query_location": 9}]})")), 9U);
  EXPECT_EQ(place(Json::parse(R"({"x": null})")), std::nullopt);
}

}  // namespace
}  // namespace vernier::query
