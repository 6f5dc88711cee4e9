#include "vernier/accuracy/parameters.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace vernier::accuracy {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(AccuracyParameters, KeepWhatTheyAreGiven) {
  EXPECT_EQ(Alpha::of(0.05)->value(), 0.05);
  EXPECT_EQ(Alpha::of(1e-300)->value(), 1e-300);
  EXPECT_EQ(Alpha::of(0.999)->value(), 0.999);
  EXPECT_EQ(Cells::of(1000000000)->value(), 1000000000);
  EXPECT_EQ(Cells::one().value(), 1);
  EXPECT_EQ(Accuracy::of(0)->value(), 0);
  EXPECT_EQ(Accuracy::of(1e15)->value(), 1e15);
}

TEST(AccuracyParameters, TakeTheLeastDecimalRoundedDown) {
  const double below = std::nextafter(1e-300, 0);
  EXPECT_EQ(Alpha::of(below)->value(), below);
  EXPECT_FALSE(Alpha::of(std::nextafter(below, 0)));
}

TEST(AccuracyParameters, RefuseWhatBreaksTheirRule) {
  for (const double value : {0.0, -0.1, 1e-301, 0.9991, 1.0, infinity, nan}) {
    ASSERT_FALSE(Alpha::of(value)) << value;
    EXPECT_EQ(Alpha::of(value).error().kind, ErrorKind::invalid);
  }
  for (const std::int64_t value : {std::int64_t{0}, std::int64_t{-1}, std::int64_t{1000000001}}) {
    ASSERT_FALSE(Cells::of(value)) << value;
    EXPECT_EQ(Cells::of(value).error().kind, ErrorKind::invalid);
  }
  for (const double value : {-1.0, -1e-300, 1.1e15, infinity, nan}) {
    ASSERT_FALSE(Accuracy::of(value)) << value;
    EXPECT_EQ(Accuracy::of(value).error().kind, ErrorKind::invalid);
  }
  EXPECT_EQ(Alpha::of(1).error().sentence(), "alpha must be a number between 1e-300 and 0.999, but it is 1");
}

}  // namespace
}  // namespace vernier::accuracy
