#include "vernier/numeric/rational.hpp"

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <string>

#include <gtest/gtest.h>

namespace vernier::numeric {
namespace {

constexpr double least = std::numeric_limits<double>::denorm_min();
constexpr double greatest = std::numeric_limits<double>::max();
constexpr double infinity = std::numeric_limits<double>::infinity();

Rational fraction(std::int64_t a, std::int64_t b) { return *quotient(Rational::of(a), Rational::of(b)); }

TEST(Rational, HoldsADoubleExactly) {
  std::mt19937_64 bits(3);
  for (int i = 0; i < 2000; ++i) {
    const double value = std::bit_cast<double>(bits());
    if (!std::isfinite(value)) continue;
    EXPECT_EQ(Rational::of(value)->round_down(), value);
    EXPECT_EQ(Rational::of(value)->round_up(), value);
  }
  EXPECT_GT(*Rational::of(0.1), fraction(1, 10));
  EXPECT_FALSE(Rational::of(infinity));
  EXPECT_FALSE(Rational::of(std::numeric_limits<double>::quiet_NaN()));
}

TEST(Rational, ReadsADecimalExactly) {
  EXPECT_EQ(*Rational::of_decimal("0.1"), fraction(1, 10));
  EXPECT_EQ(*Rational::of_decimal("1e-6"), fraction(1, 1000000));
  EXPECT_EQ(*Rational::of_decimal("-3.25e2"), Rational::of(-325));
  EXPECT_EQ(*Rational::of_decimal("+.5"), fraction(1, 2));
  EXPECT_EQ(*Rational::of_decimal("5."), Rational::of(5));
  EXPECT_EQ(*Rational::of_decimal("007.50E+01"), Rational::of(75));
  EXPECT_EQ(*Rational::of_decimal("-0"), Rational::of(0));
  EXPECT_EQ(*Rational::of_decimal("0e10000"), Rational::of(0));
}

TEST(Rational, RefusesWhatIsNoDecimal) {
  for (const char* text : {"",   " ",  " 1",  "1 ",    "0x10", "0,1", "nan",   "inf",   "-",    "+",   ".",
                           "e5", "1e", "1e+", "1e1.5", "--1",  "+-1", "1.2.3", "1_000", "1e5f", "1e 5"}) {
    EXPECT_FALSE(Rational::of_decimal(text)) << "'" << text << "'";
  }
  EXPECT_FALSE(Rational::of_decimal(std::string_view("1\0", 2)));
  EXPECT_EQ(Rational::of_decimal("0,1").error().sentence(),
            "a decimal number such as 0.05 or 1e-6 is needed, but the text is '0,1'");
}

TEST(Rational, CapsTheExponentAndTheLength) {
  EXPECT_TRUE(Rational::of_decimal("1e10000"));
  EXPECT_TRUE(Rational::of_decimal("1e-10000"));
  for (const char* text : {"1e10001", "1e-10001", "1e999999999", "1e-99999999999999999999999", "0e10001"}) {
    ASSERT_FALSE(Rational::of_decimal(text)) << text;
    EXPECT_NE(Rational::of_decimal(text).error().sentence().find("between -10000 and 10000"), std::string::npos);
  }
  EXPECT_TRUE(Rational::of_decimal(std::string(10000, '9')));
  EXPECT_FALSE(Rational::of_decimal(std::string(10001, '9')));
}

TEST(Rational, RoundsToTheDoublesOnEitherSide) {
  const Rational tenth = fraction(1, 10);
  EXPECT_EQ(tenth.round_up(), 0.1);
  EXPECT_EQ(tenth.round_down(), std::nextafter(0.1, 0));
  EXPECT_EQ((-tenth).round_down(), -0.1);
  EXPECT_EQ(Rational::of_decimal("1e-400")->round_up(), least);
  EXPECT_EQ(Rational::of_decimal("1e-400")->round_down(), 0);
  EXPECT_EQ(Rational::of_decimal("1e400")->round_down(), greatest);
  EXPECT_EQ(Rational::of_decimal("1e400")->round_up(), infinity);
  const Rational subnormal = *Rational::of(least) * fraction(5, 2);
  EXPECT_EQ(subnormal.round_down(), 2 * least);
  EXPECT_EQ(subnormal.round_up(), 3 * least);
}

TEST(Rational, FloorsAndCeilsWithinSixtyFourBits) {
  EXPECT_EQ(*fraction(-7, 2).floor(), -4);
  EXPECT_EQ(*fraction(-7, 2).ceil(), -3);
  EXPECT_EQ(*fraction(6, 2).floor(), 3);
  EXPECT_EQ(*fraction(6, 2).ceil(), 3);
  const auto last = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(*Rational::of(last).floor(), last);
  EXPECT_FALSE((Rational::of(last) + fraction(1, 2)).ceil());
  EXPECT_EQ(*(Rational::of(last) + fraction(1, 2)).floor(), last);
  EXPECT_FALSE(Rational::of_decimal("-1e300")->floor());
}

TEST(Rational, ObeysTheLawsOfAField) {
  std::mt19937_64 bits(5);
  const auto any = [&] { return fraction(static_cast<std::int64_t>(bits()), static_cast<std::int64_t>(bits() | 1)); };
  for (int i = 0; i < 200; ++i) {
    const Rational a = any(), b = any(), c = any();
    EXPECT_EQ((a + b) * c, a * c + b * c);
    EXPECT_EQ(*quotient(a * b, b), a);
    EXPECT_EQ(a - b, -(b - a));
    EXPECT_EQ(a < b, a - b < Rational::of(0));
  }
  EXPECT_FALSE(quotient(Rational::of(1), Rational::of(0)));
}

TEST(Rational, LiesInItsBall) {
  const Rational tenth = fraction(1, 10);
  const Bounds bounds = tenth.to_ball({128}).bounds();
  EXPECT_EQ(bounds, (Bounds{tenth.round_down(), tenth.round_up()}));
  EXPECT_EQ(fraction(3, 4).to_ball({64}).bounds(), (Bounds{0.75, 0.75}));
  EXPECT_EQ(less(Rational::of_decimal("1e10000")->to_ball({64}), exp(Ball::of(23026, {64}))), true);
}

TEST(Rational, IsReadBackFromItsOwnTextAlone) {
  for (const char* text : {"0", "3", "-1/3", "7/1000000", "123456789012345678901234567891/2"}) {
    ASSERT_TRUE(Rational::of_fraction(text)) << text;
    EXPECT_EQ(Rational::of_fraction(text)->text(), text);
  }
  EXPECT_EQ(Rational::of_decimal("-0.50")->text(), "-1/2");
  EXPECT_EQ(*Rational::of_fraction(Rational::of(0.1)->text()), *Rational::of(0.1));
  for (const char* text : {"", "1/0", "2/4", "+1", " 1", "1/-3", "--1", "01", "-0", "1/1", "0.5", "/2", "1/", "0x1"}) {
    EXPECT_FALSE(Rational::of_fraction(text)) << text;
  }
}

}  // namespace
}  // namespace vernier::numeric
