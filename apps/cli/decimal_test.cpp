#include "cli/decimal.hpp"

#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace vernier::cli {
namespace {

TEST(Decimals, LieBetweenTheirNeighbours) {
  const Result<Decimal> tenth = read_decimal("x", "0.1");  // 0.1 as a double is above 0.1
  ASSERT_TRUE(tenth);
  EXPECT_EQ(tenth->nearest, 0.1);
  EXPECT_EQ(tenth->down, std::nextafter(0.1, 0));
  EXPECT_EQ(tenth->up, 0.1);
  const Result<Decimal> below = read_decimal("x", "0.3");  // and 0.3 below
  EXPECT_EQ(below->down, 0.3);
  EXPECT_EQ(below->up, std::nextafter(0.3, 1));
}

TEST(Decimals, ThatAreDoublesAreKept) {
  for (const char* text : {"0.5", "+3", "1e3", "0", "4.9406564584124654e-324"}) {
    const Result<Decimal> read = read_decimal("x", text);
    ASSERT_TRUE(read) << text;
    EXPECT_LE(read->down, read->nearest);
    EXPECT_GE(read->up, read->nearest);
  }
  EXPECT_EQ(read_decimal("x", "1e3")->down, 1000);
  EXPECT_EQ(read_decimal("x", "1e3")->up, 1000);
}

TEST(Decimals, RefuseWhatIsNoneOrHasAMinusSign) {
  for (const char* text : {"", "0x10", "0,1", "nan", "inf", "1e400", "1e-400", "1 2", "half", "-0", "-1", "-"}) {
    const Result<Decimal> read = read_decimal("--epsilon", text);
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.error().kind, ErrorKind::invalid);
    EXPECT_NE(read.error().sentence().find("--epsilon"), std::string::npos);
  }
}

std::string scientific(double value) {
  std::string text(32, ' ');
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::scientific).ptr;
  return {text.data(), end};
}

void expect_as_typed(double value) {
  const Decimal typed = typed_decimal(value);
  const Result<Decimal> read = read_decimal("x", scientific(value));
  ASSERT_TRUE(read) << value;
  EXPECT_EQ(typed.nearest, value);
  EXPECT_EQ(typed.down, read->down) << scientific(value);
  EXPECT_EQ(typed.up, read->up) << scientific(value);
}

TEST(Decimals, OfADoubleAreWhatAPersonTyped) {
  std::mt19937_64 bits(10);
  std::vector<double> values = {0,    0.1,  0.3,    0.5,    1,    1e22,   1e23,   0x1p53, 0x1p63, 9007199254740993.0,
                                1e-6, 1e-5, 1e-300, 5e-324, 1e15, 0.0625, 123.45, 1e16,   1e100,  0.1 + 0.2};
  values.push_back(std::numeric_limits<double>::max());
  for (int i = 0; i < 3000; ++i) {
    const auto drawn = bits();
    const double any = std::bit_cast<double>(drawn >> 1);
    if (std::isfinite(any)) values.push_back(any);
    const int power = static_cast<int>(drawn % 60) - 30;
    values.push_back(static_cast<double>(drawn % 100'000) * std::pow(10, power));
    values.push_back(static_cast<double>(drawn >> 12) * std::pow(10, power));
  }
  for (const double value : values) expect_as_typed(value);
}

TEST(Decimals, TypedAsATenthAreATenth) {
  EXPECT_EQ(typed_decimal(0.1).down, std::nextafter(0.1, 0));
  EXPECT_EQ(typed_decimal(0.1).up, 0.1);
  EXPECT_EQ(typed_decimal(0.3).down, 0.3);
  EXPECT_EQ(typed_decimal(0.3).up, std::nextafter(0.3, 1));
}

}  // namespace

namespace {

TEST(WholeNumbers, AreReadFromDigitsPointsAndExponents) {
  EXPECT_EQ(read_whole("x", "3"), 3);
  EXPECT_EQ(read_whole("x", "-3.0"), -3);
  EXPECT_EQ(read_whole("x", "+7"), 7);
  EXPECT_EQ(read_whole("x", "1e6"), 1'000'000);
  EXPECT_EQ(read_whole("x", "9223372036854775807"), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(read_whole("x", "-9223372036854775808"), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(read_whole("x", "9007199254740993"), 9007199254740993);
}

TEST(WholeNumbers, RefuseWhatIsNotOneOrWouldBeRounded) {
  for (const char* text :
       {"2.5", "1.00000000000000000001", "", "abc", "0x10", "1,000", "nan", "inf", "1e400", "1e-400", " 3", "3 ",
        "1e19", "9223372036854775808", "-9223372036854775809", "9007199254740993.0", "1e16"}) {
    const Result<std::int64_t> read = read_whole("x", text);
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.error().kind, ErrorKind::invalid);
  }
}

}  // namespace
}  // namespace vernier::cli
