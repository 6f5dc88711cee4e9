#include "cli/sweep.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace vernier::cli {
namespace {

const std::vector<std::string> keys = {"epsilon", "alpha"};

TEST(Sweeps, RiseByOneFactorFromEndToEnd) {
  const Result<Sweep> sweep = read_sweep("epsilon=0.1:10:5", keys);
  ASSERT_TRUE(sweep);
  EXPECT_EQ(sweep->key, "epsilon");
  ASSERT_EQ(sweep->points.size(), 5U);
  EXPECT_EQ(sweep->points.front().nearest, 0.1);
  EXPECT_EQ(sweep->points.front().down, std::nextafter(0.1, 0));
  EXPECT_EQ(sweep->points.back().nearest, 10);
  for (std::size_t i = 1; i < 5; ++i) {
    EXPECT_NEAR(sweep->points[i].nearest / sweep->points[i - 1].nearest, std::sqrt(10.0), 1e-14);
  }
}

TEST(Sweeps, OfWholeNumbersHaveEachOnce) {
  Result<Sweep> sweep = read_sweep("epsilon=0.2:4:20", keys);
  ASSERT_TRUE(sweep);
  round_to_whole(*sweep);
  ASSERT_EQ(sweep->points.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(sweep->points[i].nearest, static_cast<double>(i + 1));
}

TEST(Sweeps, ThatAreWrongAreNamedInOneSentence) {
  for (const char* text : {"", "epsilon", "epsilon=0.1:10", "epsilon 0.1:10:5", "scale=1:2:3", "epsilon=0:1:3",
                           "epsilon=2:1:3", "epsilon=1:1:3", "epsilon=-1:1:3", "epsilon=1:2:1", "epsilon=1:2:10001",
                           "epsilon=1:2:2.5", "epsilon=1:2:3:4", "epsilon=a:2:3", "=1:2:3", "1:2:epsilon=3"}) {
    const Result<Sweep> sweep = read_sweep(text, keys);
    ASSERT_FALSE(sweep) << text;
    EXPECT_EQ(sweep.error().kind, ErrorKind::invalid);
    EXPECT_NE(sweep.error().sentence(option_spelling).find("--sweep"), std::string::npos)
        << sweep.error().sentence(option_spelling);
  }
  EXPECT_EQ(read_sweep("alhpa=1:2:3", keys).error().sentence(option_spelling),
            "--sweep goes over one of epsilon, alpha, but its key is 'alhpa' (did you mean alpha?)");
}

}  // namespace

namespace {

using Values = std::vector<double>;

std::string sentence(std::string_view text) {
  const auto read = read_spread("--epsilon", text);
  return read ? "taken" : read.error().sentence();
}

TEST(SpreadValues, AreOneNumberOrSeveralEquallyFarApart) {
  EXPECT_EQ(read_spread("--epsilon", "0.5").value(), Values{0.5});
  EXPECT_EQ(read_spread("--epsilon", "-1e-3").value(), Values{-0.001});
  EXPECT_EQ(read_spread("--epsilon", "0.1:1:10").value(), (Values{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1}));
  EXPECT_EQ(read_spread("--lower", "-2:2:3").value(), (Values{-2, 0, 2}));
}

TEST(SpreadValues, AreWholeAndEachOnceWhereRowsAreCounted) {
  EXPECT_EQ(read_whole_spread("--size", "1:3:5").value(), (Values{1, 2, 3}));
  EXPECT_EQ(read_whole_spread("--size", "200:1500:14").value().size(), 14U);
  EXPECT_EQ(read_whole_spread("--size", "2.5").error().sentence(),
            "--size must be a whole number such as 500, but it is 2.5");
}

TEST(SpreadValues, AreListedAscending) {
  EXPECT_EQ(read_spread("--epsilon", "0.1,0.3,1").value(), (Values{0.1, 0.3, 1}));
  EXPECT_EQ(read_whole_spread("--size", "100,500").value(), (Values{100, 500}));
  EXPECT_EQ(sentence("0.3,0.1"), "the numbers of --epsilon must ascend, but 0.1 comes after 0.3");
  EXPECT_EQ(sentence("0.3,0.3"), "the numbers of --epsilon must ascend, but 0.3 comes after 0.3");
  EXPECT_NE(sentence("0.1,"), "taken");
  EXPECT_NE(sentence("0.1,x"), "taken");
  EXPECT_EQ(read_whole_spread("--size", "100,500.5").error().sentence(),
            "--size must be a whole number such as 500, but it is 100,500.5");
}

TEST(SpreadValues, AreRefusedInOneSentence) {
  const std::string form =
      "--epsilon must be a number or FIRST:LAST:POINTS with a last value above the first, such as 0.1:1:10, but it is ";
  EXPECT_EQ(sentence("0.1:1"), form + "'0.1:1'");
  EXPECT_EQ(sentence("1:0.1:10"), form + "'1:0.1:10'");
  EXPECT_EQ(sentence("0.1:1:1"), "the number of points of --epsilon must be from 2 to 10000, but it is 1");
  EXPECT_NE(sentence("0.1:x:3").find("the last value of --epsilon"), std::string::npos);
  EXPECT_NE(sentence("0.1:1:3:4").find("the number of points of --epsilon"), std::string::npos);
}

}  // namespace
}  // namespace vernier::cli
