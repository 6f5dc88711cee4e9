#include "vernier/engine/json/line.hpp"

#include <gtest/gtest.h>

#include "vernier/core/utf8.hpp"

namespace vernier::engine {
namespace {

using Kind = JsonCell::Kind;

std::string told(const JsonCell& cell) {
  if (cell.kind == Kind::none) return "-";
  if (cell.kind == Kind::nested) return "nested";
  if (cell.kind == Kind::bare) return std::string(cell.text);
  std::string text;
  cell.is_escaped ? append_unescaped(cell.text, text) : void(text = cell.text);
  return "\"" + text + "\"";
}

// The cells of a and b, or that the line is none.
std::string read(std::string_view line) {
  JsonLine json({"a", "b"});
  if (json.read(line)) return told(json.cells()[0]) + " " + told(json.cells()[1]);
  EXPECT_EQ(told(json.cells()[0]) + told(json.cells()[1]), "--") << line;
  return "none";
}

TEST(JsonLine, HasTheMembersThatAreAskedFor) {
  EXPECT_EQ(read(R"({"a":1,"b":"x"})"), "1 \"x\"");
  EXPECT_EQ(read(" \t{ \"B\" : -1.5e+3 , \"more\" : [1, {\"a\": [[]], \"b\": {}}] , \"A\" : true } \r"),
            "true -1.5e+3");
  EXPECT_EQ(read("\xEF\xBB\xBF{\"a\":null,\"c\":2}"), "- -");
  EXPECT_EQ(read(R"({"a":[1,2],"b":{"a":1}})"), "nested nested");
  EXPECT_EQ(read("{}"), "- -");
  EXPECT_EQ(read(R"({"a":NaN,"b":-Infinity})"), "NaN -Infinity");
}

// What is kept of a line, so that names need not be looked up again, changes nothing in the next one.
TEST(JsonLine, ReadsALineTheSameWhateverWasReadBefore) {
  const std::vector<std::string> names = {"a", "b", "", "c", "A", "\\u0061", std::string(300, 'b'), "\\u0062", "a "};
  JsonLine kept({"a", "b"});
  std::uint64_t seed = 1;
  const auto below = [&](std::uint64_t end) {
    return (seed = seed * 6364136223846793005 + 1442695040888963407) >> 33U & (end - 1);
  };
  for (int i = 0; i < 3000; ++i) {
    std::string line;
    for (std::uint64_t member = below(8); member > 0; --member)
      line += (line.empty() ? "\"" : ",\"") + names[below(16) % names.size()] + "\":" + std::to_string(member);
    JsonLine fresh({"a", "b"});
    line = "{" + line + "}";
    ASSERT_EQ(kept.read(line), fresh.read(line)) << line;
    for (std::size_t j = 0; j < 2; ++j) ASSERT_EQ(told(kept.cells()[j]), told(fresh.cells()[j])) << line;
  }
}

TEST(JsonLine, TakesTheLastMemberOfAName) {
  EXPECT_EQ(read(R"({"a":1,"A":2,"b":3,"b":null})"), "2 -");
  EXPECT_EQ(read(R"({"\u0061":7})"), "7 -");
}

TEST(JsonLine, UndoesEscapes) {
  EXPECT_EQ(read(R"({"a":"\"\\\/\b\f\n\r\t","b":"s\u00fcd \ud83d\ude00"})"), "\"\"\\/\b\f\n\r\t\" \"süd 😀\"");
  for (const std::string_view half : {R"(\ud83d)", R"(\ude00)", R"(\ud83dx)", R"(\ud83d\n)", R"(\ude00\ud83d)"}) {
    std::string text;
    append_unescaped(half, text);
    EXPECT_FALSE(is_utf8(text)) << half;
  }
}

// Whatever a line is, it says nothing where it is no object as a whole.
TEST(JsonLine, IsAnObjectOrNothing) {
  for (const std::string_view line : {"",
                                      " ",
                                      "null",
                                      "1",
                                      "\"a\"",
                                      "[]",
                                      "[{\"a\":1}]",
                                      "{",
                                      "}",
                                      "{\"a\"",
                                      "{\"a\":",
                                      "{\"a\":1",
                                      "{\"a\":1,}",
                                      "{a:1}",
                                      "{'a':1}",
                                      "{\"a\":1}}",
                                      "{\"a\":1} x",
                                      "{\"a\":1 \"b\":2}",
                                      "{\"a\":01}",
                                      "{\"a\":.5}",
                                      "{\"a\":1.}",
                                      "{\"a\":1e}",
                                      "{\"a\":+1}",
                                      "{\"a\":--1}",
                                      "{\"a\":nul}",
                                      "{\"a\":True}",
                                      "{\"a\":\"x}",
                                      "{\"a\":\"\\x\"}",
                                      "{\"a\":\"\\u12g4\"}",
                                      "{\"a\":\"\\\"}",
                                      "{\"a\":[1}",
                                      "{\"a\":[1,]}",
                                      "{\"a\":{1}}",
                                      "{\"a\":{\"x\"}}",
                                      "{\"a\":]}",
                                      "{,}",
                                      "{\"a\":1}\n{\"a\":2}",
                                      "// {\"a\":1}",
                                      "{\"a\":\v1}"})
    EXPECT_EQ(read(line), "none") << line;
}

TEST(JsonLine, ReadsListsOfAnyDepth) {
  constexpr std::size_t deep = 1'000'000;
  const std::string open(deep, '['), closed(deep, ']');
  EXPECT_EQ(read("{\"a\":" + open + closed + ",\"b\":1}"), "nested 1");
  EXPECT_EQ(read("{\"a\":" + open + closed.substr(1) + ",\"b\":1}"), "none");
}

// What is kept of the names of one line changes nothing about the next.
TEST(JsonLine, ForgetsTheLineBefore) {
  JsonLine json({"a", "b"});
  for (const auto& [line, cells] : std::vector<std::pair<std::string, std::string>>{{R"({"a":1,"b":2})", "1 2"},
                                                                                    {R"({"b":3,"a":4})", "4 3"},
                                                                                    {R"({"x":5,"b":6})", "- 6"},
                                                                                    {"broken", "- -"},
                                                                                    {R"({"a":1,"b":2})", "1 2"}}) {
    json.read(line);
    EXPECT_EQ(told(json.cells()[0]) + " " + told(json.cells()[1]), cells) << line;
  }
}

TEST(JsonMembers, AreNamesWithTheirKinds) {
  const std::vector<JsonMember> members = json_members(R"({"b":[1],"\u0061":1})");
  ASSERT_EQ(members.size(), 2U);
  EXPECT_EQ(members[0].name, "b");
  EXPECT_EQ(members[0].kind, Kind::nested);
  EXPECT_EQ(members[1].name, "a");
  EXPECT_TRUE(json_members("[1]").empty());
}

}  // namespace
}  // namespace vernier::engine
