#include <cmath>
#include <cstdlib>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "vernier/core/text.hpp"

namespace vernier {
namespace {

TEST(RoundedText, HasSixDigits) {
  EXPECT_EQ(nearest_text(1234567.0), "1.23457e+06");
  EXPECT_EQ(nearest_text(0.30000000000000004), "0.3");
  EXPECT_EQ(rounded_up_text(0.30000000000000004), "0.300001");
  EXPECT_EQ(rounded_up_text(0.3), "0.3");
  EXPECT_EQ(rounded_up_text(30), "30");
  EXPECT_EQ(rounded_up_text(0), "0");
  EXPECT_EQ(rounded_up_text(99999.91), "100000");
}

RC_GTEST_PROP(RoundedText, IsNeverBelowTheValueNorFarAbove, ()) {
  const double value = *rc::gen::inRange(1, 1 << 30) * std::pow(10.0, *rc::gen::inRange(-200, 200)) / 7;
  const double read = std::strtod(rounded_up_text(value).c_str(), nullptr);
  RC_ASSERT(read >= value);
  RC_ASSERT(read <= value * (1 + 1.01e-5));
}

TEST(RoundedText, HasAsManyDigitsAsAsked) {
  EXPECT_EQ(nearest_text(2.0 / 3, 3), "0.667");
  EXPECT_EQ(rounded_up_text(1.0 / 3, 9), "0.333333334");
  EXPECT_EQ(rounded_down_text(2.0 / 3, 9), "0.666666666");
  EXPECT_EQ(rounded_down_text(0.99999999), "0.999999");
  EXPECT_EQ(rounded_down_text(0.25), "0.25");
  EXPECT_EQ(rounded_down_text(0), "0");
}

RC_GTEST_PROP(RoundedText, IsNeverAboveTheValueNorFarBelow, ()) {
  const double value = *rc::gen::inRange(1, 1 << 30) * std::pow(10.0, *rc::gen::inRange(-200, 200)) / 7;
  const double read = std::strtod(rounded_down_text(value).c_str(), nullptr);
  RC_ASSERT(read <= value);
  RC_ASSERT(read >= value * (1 - 1.01e-5));
}

}  // namespace
}  // namespace vernier
