#include "cli/arguments.hpp"

#include <gtest/gtest.h>

namespace vernier::cli {
namespace {

using Words = std::vector<std::string>;

Usage example() {
  return {
      .name = "try",
      .summary = "an example",
      .synopsis = "vernier try THING --scale S --at X...",
      .subject = "THING",
      .subject_help = "what to try",
      .options = {{"--scale", Takes::one_value, "S", "its scale"}, {"--at", Takes::several_values, "X...", "where"}},
      .example = "  vernier try this --scale 1\n"};
}

Words list(std::span<const std::string> values) { return {values.begin(), values.end()}; }

std::string complaint(const Words& words) {
  const Result<Arguments> parsed = parse(example(), words);
  return parsed ? "" : parsed.error().sentence();
}

TEST(Arguments, AreFoundInAnyOrder) {
  const Words words = {"--scale", "3", "this", "--json", "--at", "1", "2"};
  const Result<Arguments> parsed = parse(example(), words);
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->subject, "this");
  EXPECT_EQ(parsed->one("--scale"), "3");
  EXPECT_EQ(list(parsed->all("--at")), (Words{"1", "2"}));
  EXPECT_TRUE(parsed->has("--json"));
  EXPECT_FALSE(parsed->has("--help"));
}

TEST(Arguments, TakeNegativeNumbersAndValuesBehindAnEqualsSign) {
  const Words words = {"--at", "-3", "-.5", "--scale=-1e-3", "--at=7"};
  const Result<Arguments> parsed = parse(example(), words);
  ASSERT_TRUE(parsed);
  EXPECT_EQ(list(parsed->all("--at")), (Words{"-3", "-.5", "7"}));
  EXPECT_EQ(parsed->one("--scale"), "-1e-3");
}

TEST(Arguments, ThatAreWrongAreNamedInOneSentence) {
  EXPECT_EQ(complaint({"--scael", "1"}),
            "the option --scael is unknown (did you mean --scale?); see 'vernier try --help'");
  EXPECT_EQ(complaint({"--nothing-like-it"}), "the option --nothing-like-it is unknown; see 'vernier try --help'");
  EXPECT_EQ(complaint({"--scale"}), "--scale needs a value; write it as --scale S");
  EXPECT_EQ(complaint({"--scale", "--at", "1"}), "--scale needs a value; write it as --scale S");
  EXPECT_EQ(complaint({"--scale", "1", "--scale", "2"}), "--scale is given more than once; give it once");
  EXPECT_EQ(complaint({"--json=yes"}), "--json takes no value; write it alone");
  EXPECT_EQ(complaint({"this", "that"}), "the argument 'that' is not understood; see 'vernier try --help'");
}

TEST(Arguments, WithoutANameAreRefusedWhereTheCommandHasNone) {
  Usage usage = example();
  usage.subject.clear();
  const Words words = {"this"};
  const Result<Arguments> parsed = parse(usage, words);
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.error().sentence(), "the argument 'this' is not understood; see 'vernier try --help'");
  EXPECT_EQ(help_of(usage).find("what to try"), std::string::npos);
}

TEST(Arguments, HaveAHelpWithEveryOptionAndAnExample) {
  const std::string help = help_of(example());
  for (const char* part : {"THING", "--scale S  ", "--at X...  ", "--json", "--help", "Example:\n  vernier try this"}) {
    EXPECT_NE(help.find(part), std::string::npos) << part;
  }
}

TEST(Arguments, TakeASecondWordWhereTheUsageDoes) {
  Usage usage;
  usage.name = "try";
  usage.subject = "ACTION";
  const std::vector<std::string> two = {"new", "data.csv"}, three = {"new", "--json", "data.csv", "more"};
  EXPECT_FALSE(parse(usage, two));
  usage.object = "FILE";
  EXPECT_EQ(parse(usage, two)->subject, "new");
  EXPECT_EQ(parse(usage, two)->object, "data.csv");
  EXPECT_NE(parse(usage, three).error().sentence().find("'more' is not understood"), std::string::npos);
  EXPECT_NE(help_of(usage).find("  FILE "), std::string::npos);
}

}  // namespace
}  // namespace vernier::cli
