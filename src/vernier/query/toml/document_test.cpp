#include "vernier/query/toml/document.hpp"

#include <gtest/gtest.h>

namespace vernier::query {
namespace {

std::string keys_of(const TomlTable& table) {
  std::string keys;
  for (const TomlEntry& entry : table) keys += entry.key + " ";
  return keys;
}

std::string problem_of(const std::string& text) {
  const auto table = parse_toml(text);
  return table ? "" : located("f", table.error()).sentence();
}

TEST(TomlDocument, KeepsTheOrderOfTheKeys) {
  EXPECT_EQ(keys_of(parse_toml("z = 1\na = 2\n[m]\n[b]\n").value()), "z a m b ");
  const auto nested = parse_toml("t = { y = 1, x = 2 }").value();
  EXPECT_EQ(keys_of(std::get<TomlTable>(nested[0].node.content)), "y x ");
}

TEST(TomlDocument, KeepsNumbersAsTheyWereWritten) {
  const auto number = [](const std::string& text) {
    const TomlTable table = parse_toml("\"ä\" = [ \"ö€\",\n 1, " + text + " ]\n").value();
    return std::get<TomlReal>(std::get<TomlArray>(table[0].node.content)[2].content).text;
  };
  EXPECT_EQ(number("0.1"), "0.1");
  EXPECT_EQ(number("1_000.000_1E+3"), "1000.0001E+3");
  EXPECT_EQ(number("-0.0"), "-0.0");
  EXPECT_EQ(number("1e-400"), "1e-400");
  EXPECT_EQ(number("+inf"), "inf");
  EXPECT_EQ(number("-inf"), "-inf");
  EXPECT_EQ(number("nan"), "nan");
}

TEST(TomlDocument, KnowsWhereThingsStand) {
  const auto table = parse_toml("# a remark\r\n  \"größe\" = { x = \"é\", y = 2.5 }\r\n").value();
  EXPECT_EQ(table[0].place, (Place{2, 3}));
  const auto& inner = std::get<TomlTable>(table[0].node.content);
  EXPECT_EQ(inner[1].place, (Place{2, 24}));
  EXPECT_EQ(inner[1].node.place, (Place{2, 28}));
}

TEST(TomlDocument, RefusesWhatItCannotKeep) {
  EXPECT_EQ(problem_of("a = 0000-01-01\n"),
            "f:1:5: this is no day between 0001-01-01 and 9999-12-31; write a date such as 2026-01-31");
  EXPECT_EQ(problem_of("a = " + std::string(20, '[') + std::string(20, ']')).substr(0, 7), "f:1:20:");
  EXPECT_EQ(problem_of("a = " + std::string(15, '[') + std::string(15, ']')), "");
  EXPECT_NE(problem_of("a = " + std::string(1000, '[')), "");
}

// toml++ takes down nested tables in a recursion, which would end an ordinary stack at a hundred thousand levels.
TEST(TomlDocument, SurvivesKeysOfHundredThousandsOfParts) {
  std::string key = "a";
  for (int i = 0; i < 200'000; ++i) key += ".a";
  EXPECT_NE(problem_of("[" + key + "]\n").find("nested more than 16 deep"), std::string::npos);
  EXPECT_NE(problem_of(key + " = 1\n").find("nested more than 16 deep"), std::string::npos);
}

TEST(TomlDocument, DescribesWhatStandsThere) {
  const auto text = [](const std::string& value) {
    return spelled(described(parse_toml("a = " + value).value()[0].node), plain_spelling);
  };
  EXPECT_EQ(text("true"), "true");
  EXPECT_EQ(text("0x1F"), "the number 31");
  EXPECT_EQ(text("1_0.5"), "the number 10.5");
  EXPECT_EQ(text("\"x\""), "the text \"x\"");
  EXPECT_EQ(text("\"" + std::string(61, 'x') + "\""), "a text of 61 bytes");
  EXPECT_EQ(text("2026-01-31"), "the date 2026-01-31");
  EXPECT_EQ(text("12:30:00"), "a time");
  EXPECT_EQ(text("[1]"), "a list");
  EXPECT_EQ(text("{}"), "a table");
}

}  // namespace
}  // namespace vernier::query
