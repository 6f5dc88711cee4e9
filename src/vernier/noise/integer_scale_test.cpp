#include "vernier/noise/integer_scale.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace vernier::noise {
namespace {

// The decimal 0.001, rounded down to a double, is one double before its nearest one.
TEST(IntegerScale, TakesItsLeastAsItIsWritten) {
  EXPECT_TRUE(integer_scale(0.001));
  EXPECT_TRUE(integer_scale(0.0009999999999999998));
  EXPECT_FALSE(integer_scale(0.0009999999999999995));
  EXPECT_TRUE(integer_scale(1e12));
  EXPECT_FALSE(integer_scale(std::nextafter(1e12, HUGE_VAL)));
}

}  // namespace
}  // namespace vernier::noise
