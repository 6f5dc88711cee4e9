#include "plot/ticks.hpp"

#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace vernier::plot {
namespace {

using Labels = std::vector<std::string>;

TEST(Ticks, AreRoundAndWrittenWithTheDecimalsTheyNeed) {
  EXPECT_EQ(round_ticks(0, 1, 5).labels, (Labels{"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"}));
  EXPECT_EQ(round_ticks(-3.5, 3.5, 10, 1).labels, (Labels{"−3", "−2", "−1", "0", "1", "2", "3"}));
  EXPECT_EQ(round_ticks(0, 0.021, 5).labels, (Labels{"0.000", "0.005", "0.010", "0.015", "0.020"}));
}

TEST(Ticks, SpanSeveralPowersOfTen) {
  EXPECT_EQ(round_ticks(-2.5e6, 2.5e6, 5).labels, (Labels{"−2,000,000", "−1,000,000", "0", "1,000,000", "2,000,000"}));
  EXPECT_EQ(round_ticks(950, 1210, 3).labels, (Labels{"1,000", "1,100", "1,200"}));
}

TEST(Ticks, MovePowersOfTenIntoTheTitleWhereNumbersWouldBeLong) {
  const Ticks small = round_ticks(0, 4.3e-7, 5);
  EXPECT_EQ(small.exponent, -7);
  EXPECT_EQ(small.labels, (Labels{"0", "1", "2", "3", "4"}));
  const Ticks large = round_ticks(0, 3e12, 3);
  EXPECT_EQ(large.exponent, 12);
  EXPECT_EQ(large.labels, (Labels{"0", "1", "2", "3"}));
  EXPECT_EQ(round_ticks(0, 9e6, 3).exponent, 0);
}

TEST(Ticks, NeverStepBelowTheLeastStep) {
  EXPECT_EQ(round_ticks(-1.5, 1.5, 10, 1).values, (std::vector<double>{-1, 0, 1}));
  EXPECT_EQ(round_ticks(-1.5, 1.5, 10).values.size(), 7U);
}

TEST(Ticks, OfALogarithmicAxisAreOneTwoFiveOrPowersOfTen) {
  EXPECT_EQ(log_ticks(0.1, 10, 10).labels, (Labels{"0.1", "0.2", "0.5", "1", "2", "5", "10"}));
  EXPECT_EQ(log_ticks(0.03, 4e4, 7).labels, (Labels{"0.1", "1", "10", "100", "1,000", "10,000"}));
  EXPECT_EQ(log_ticks(1e-9, 1e9, 7).values.size(), 7U);
  EXPECT_EQ(log_ticks(1e8, 1e9, 10).labels, (Labels{"10⁸", "2×10⁸", "5×10⁸", "10⁹"}));
}

TEST(Ticks, OfAShortLogarithmicAxisAreThoseOfAnyOther) {
  EXPECT_EQ(log_ticks(3, 4, 5).labels, round_ticks(3, 4, 5).labels);
}

RC_GTEST_PROP(Ticks, OfALogarithmicAxisLieWithinItAndAreNotTooMany, ()) {
  const double low = *rc::gen::inRange(1, 1000) * std::pow(10.0, *rc::gen::inRange(-90, 90));
  const double high = low * (1 + *rc::gen::inRange(1, 1000) * std::pow(10.0, *rc::gen::inRange(-2, 90)));
  const int most = *rc::gen::inRange(4, 12);
  const Ticks ticks = log_ticks(low, high, most);
  RC_ASSERT(ticks.values.size() >= 1U && ticks.values.size() <= static_cast<std::size_t>(most) + 1);
  RC_ASSERT(ticks.values.size() == ticks.labels.size());
  RC_ASSERT(ticks.values.front() >= low * (1 - 1e-6) && ticks.values.back() <= high * (1 + 1e-6));
}

RC_GTEST_PROP(Ticks, LieWithinTheAxisEvenlyAndNotTooMany, ()) {
  const double low = *rc::gen::inRange(-100000, 100000) * std::pow(10.0, *rc::gen::inRange(-90, 90));
  const double width = *rc::gen::inRange(1, 100000) * std::pow(10.0, *rc::gen::inRange(-3, 3));
  const double high = low + std::abs(low) * width + width;
  const int most = *rc::gen::inRange(3, 12);
  const Ticks ticks = round_ticks(low, high, most);
  const double slack = 1e-6 * (high - low);
  RC_ASSERT(ticks.values.size() >= 1U && ticks.values.size() <= static_cast<std::size_t>(most) + 1);
  RC_ASSERT(ticks.values.size() == ticks.labels.size());
  RC_ASSERT(ticks.values.front() >= low - slack && ticks.values.back() <= high + slack);
  for (std::size_t i = 2; i < ticks.values.size(); ++i) {
    const double step = ticks.values[1] - ticks.values[0];
    RC_ASSERT(std::abs(ticks.values[i] - ticks.values[i - 1] - step) <= slack);
  }
}

TEST(Ticks, WritePowersAndThousandsForReaders) {
  EXPECT_EQ(power_of_ten(-17), "×10⁻¹⁷");
  EXPECT_EQ(power_of_ten(100), "×10¹⁰⁰");
  EXPECT_EQ(with_thousands("123"), "123");
  EXPECT_EQ(with_thousands("1234567.5678"), "1,234,567.5678");
}

}  // namespace
}  // namespace vernier::plot
