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
    EXPECT_NE(sweep.error().sentence.find("--sweep"), std::string::npos) << sweep.error().sentence;
  }
  EXPECT_EQ(read_sweep("alhpa=1:2:3", keys).error().sentence,
            "--sweep goes over one of epsilon, alpha, but its key is 'alhpa' (did you mean alpha?)");
}

}  // namespace
}  // namespace vernier::cli
