#include "text/numbers.hpp"

#include <cstdlib>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace vernier::text {
namespace {

double number_in(std::string text) {
  std::erase(text, ',');
  return std::strtod(text.c_str(), nullptr);
}

TEST(GroupedText, HasThreeDigitsBetweenCommas) {
  EXPECT_EQ(grouped(std::int64_t{0}), "0");
  EXPECT_EQ(grouped(std::int64_t{999}), "999");
  EXPECT_EQ(grouped(std::int64_t{-1000}), "-1,000");
  EXPECT_EQ(grouped(std::int64_t{1234567}), "1,234,567");
  EXPECT_EQ(grouped(-12345.25, 2), "-12,345.25");
  EXPECT_EQ(grouped(-123.0, 0), "-123");
}

TEST(GroupedText, RoundsAMarginUp) {
  EXPECT_EQ(grouped_up(12), "12.0");
  EXPECT_EQ(grouped_up(0.01234), "0.0124");
  EXPECT_EQ(grouped_up(12345.2), "12,346");
  EXPECT_EQ(grouped_up(0), "0");
}

TEST(GroupedText, ShowsWholeNumbersWhole) {
  const Margin shown = with_margin(50123, 12, 0);
  EXPECT_EQ(shown.value, "50,123");
  EXPECT_EQ(shown.margin, "12");
}

TEST(GroupedText, RoundsTheEndsOfAnIntervalOutwards) {
  EXPECT_EQ(grouped_down(40905.16, 1), "40,905.1");
  EXPECT_EQ(grouped_up(41519.91, 1), "41,520.0");
  EXPECT_EQ(grouped_down(-0.04, 1), "-0.1");
  EXPECT_EQ(grouped_up(-0.04, 1), "0.0");
  EXPECT_EQ(grouped_down(0.0, 0), "0");
  EXPECT_EQ(grouped_down(-12.0, 0), "-12");
}

RC_GTEST_PROP(GroupedText, CoversWhatWasReleasedWithItsMargin, ()) {
  const double value = *rc::gen::inRange(-1'000'000'000, 1'000'000'000) / 4096.0;
  const double accuracy = *rc::gen::inRange(1, 1'000'000'000) / 65536.0;
  const Margin shown = with_margin(value, accuracy, decimals_for(accuracy, 3));
  const double middle = number_in(shown.value), margin = number_in(shown.margin);
  constexpr double last_bits = 1e-7;
  RC_ASSERT(middle - margin <= value - accuracy + last_bits);
  RC_ASSERT(middle + margin >= value + accuracy - last_bits);
  RC_ASSERT(margin <= 1.02 * accuracy + 1e-6);
}

}  // namespace

namespace {

TEST(ConfidenceText, IsExact) {
  EXPECT_EQ(confidence_text(0.05), "95 %");
  EXPECT_EQ(confidence_text(0.5), "50 %");
  EXPECT_EQ(confidence_text(0.9), "10 %");
  EXPECT_EQ(confidence_text(0.001), "99.9 %");
  EXPECT_EQ(confidence_text(4.56547e-05), "99.99543453 %");
  EXPECT_EQ(confidence_text(1e-12), "99.9999999999 %");
  EXPECT_EQ(confidence_text(1e-20), "1 - 1e-20");
  EXPECT_EQ(confidence_text(1.0 / 3), "1 - 0.3333333333333333");
}

}  // namespace
}  // namespace vernier::text
