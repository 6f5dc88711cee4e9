#include <gtest/gtest.h>

#include "support/query_files.hpp"
#include "vernier/query/study.hpp"

namespace vernier::query {
namespace {

// The example's last statistic with more keys.
std::string with_keys(const std::string& keys) { return example_study + keys + "\n"; }

Inference read(const std::string& keys) {
  Reading<Study> reading = examine_study_text("study.toml", with_keys(keys));
  EXPECT_EQ(problems_text("study.toml", reading.problems), "");
  return reading.content.value().statistics[1].inference;
}

std::string said(const std::string& keys) {
  std::string all;
  for (const Problem& problem : examine_study_text("s", with_keys(keys)).problems) all += problem.sentence() + "\n";
  return all;
}

TEST(ReadInference, IsOfTheRowsAndNothingElseWhereNothingIsSaid) {
  EXPECT_EQ(read(""), Inference{});
  EXPECT_EQ(read("covers = \"sample\"\nguaranteed = false\nsimultaneous = false\nclamped_share = false"), Inference{});
  EXPECT_EQ(read("denoise = \"none\""), Inference{});
}

TEST(ReadInference, SaysWhatTheStudySays) {
  EXPECT_EQ(read("covers = \"population\""), Inference{.of_population = true});
  EXPECT_EQ(read("guaranteed = true"), Inference{.is_guaranteed = true});
  EXPECT_EQ(read("simultaneous = true"), Inference{.is_simultaneous = true});
  EXPECT_EQ(read("clamped_share = true"), Inference{.has_clamped_share = true});
}

TEST(ReadInference, KnowsEveryWayToDenoise) {
  for (const auto way :
       {Denoise::none, Denoise::least_risk, Denoise::james_stein, Denoise::soft_threshold, Denoise::consistent}) {
    EXPECT_EQ(read("denoise = \"" + std::string(name_of(way)) + "\"").denoise, way);
  }
  EXPECT_EQ(name_of(Denoise::soft_threshold), "soft-threshold");
}

TEST(ReadInference, TakesGroupsByTheTextOfTheirKeys) {
  const auto pairs = read("differences = [[\"north\", \"south\"], [1, 2], [2.5, 5.0], [-0.1, 0]]").differences;
  const std::vector<Difference> expected = {{"north", "south"}, {"1", "2"}, {"2.5", "5"}, {"-0.1", "0"}};
  EXPECT_EQ(pairs, expected);
}

TEST(ReadInference, RefusesOtherWordsAndKinds) {
  const std::string of = " of the statistic 'all' ";
  EXPECT_EQ(said("covers = \"populace\""), "covers" + of + "must be sample or population, but it is 'populace'\n");
  for (const char* const key : {"guaranteed", "simultaneous", "clamped_share"}) {
    EXPECT_EQ(said(std::string(key) + " = 1"), key + of + "must be true or false, but it is the number 1\n");
  }
  EXPECT_NE(said("denoise = true").find("denoise" + of + "must be "), std::string::npos);
}

TEST(ReadInference, RefusesWhatIsNoListOfPairs) {
  const std::string sentence =
      "differences of the statistic 'all' must be a list of pairs of groups that differ, such as [[\"north\", "
      "\"south\"]], but it is something else\n";
  for (const char* const text :
       {"[]", "1", "\"north\"", "[\"north\", \"south\"]", "[[\"north\"]]", "[[\"a\", \"b\", \"c\"]]",
        "[[\"a\", \"a\"]]", "[[\"a\", true]]", "[[\"a\", \"b\"], 3]", "[[[\"a\"], \"b\"]]"}) {
    EXPECT_EQ(said(std::string("differences = ") + text), sentence) << text;
  }
}

}  // namespace
}  // namespace vernier::query
