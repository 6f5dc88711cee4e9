#include "vernier/query/written_value.hpp"

#include <cmath>
#include <map>
#include <random>
#include <regex>

#include <gtest/gtest.h>

namespace vernier::query {
namespace {

std::string drawn(std::mt19937_64& bits) {
  static const std::vector<std::string> pieces{"0",  "00",  "1",  "5", "9",    "999999999", "9223372036854775807",
                                               ".",  ".",   "e",  "E", "e-",   "e+",        "000000000000000000",
                                               "-",  "+",   " ",  "2", "1e18", "20",        "19",
                                               "17", "e-2", ".0", "\n"};
  std::string text;
  for (std::size_t left = 1 + bits() % 6; left > 0; --left) text += pieces[bits() % pieces.size()];
  return text;
}

bool matches(const std::string& text, std::string_view pattern) {
  static std::map<std::string, std::regex> compiled;
  const auto [at, is_new] = compiled.try_emplace(std::string(pattern));
  if (is_new) at->second = std::regex(std::string(pattern), std::regex::extended);
  return text.size() <= longest_number && std::regex_match(text, at->second);
}

// What an engine is asked to read is what is read here, but for what has no place in the type.
TEST(WrittenValue, HasThePatternThatEnginesAreGiven) {
  std::mt19937_64 bits(3);
  int integers = 0, beyond = 0, reals = 0;
  for (int i = 0; i < 20'000; ++i) {
    const std::string text = drawn(bits);
    const auto integer = written_integer(text);
    if (integer) {
      ASSERT_TRUE(matches(text, integer_pattern())) << text;
      ++integers;
    } else if (matches(text, integer_pattern())) {
      ASSERT_GE(std::abs(*written_real(text)), 0x1p63) << text;
      ++beyond;
    }
    const bool is_number = matches(text, real_pattern());
    if (written_real(text)) {
      ASSERT_TRUE(is_number) << text;
    }
    reals += is_number ? 1 : 0;
    ASSERT_EQ(written_boolean(text).has_value(), matches(text, true_pattern()) || matches(text, false_pattern()));
  }
  EXPECT_GT(integers, 1000);
  EXPECT_GT(beyond, 0);
  EXPECT_GT(reals, 3000);
}

TEST(WrittenValue, IsZeroWhereARealIsNearlyZeroAndNothingWhereItIsBeyondAll) {
  EXPECT_EQ(written_real("1e-400"), 0.0);
  EXPECT_EQ(written_real("-1e-9999"), 0.0);
  EXPECT_EQ(written_real("0." + std::string(190, '0') + "1e-300"), 0.0);
  EXPECT_EQ(written_real("1" + std::string(190, '0') + "e-190"), 1.0);
  EXPECT_EQ(written_real("4.9e-324"), 5e-324);
  EXPECT_FALSE(written_real("1e400"));
  EXPECT_FALSE(written_real("1" + std::string(190, '0') + "e300"));
  EXPECT_FALSE(written_real("1e-00400"));  // a power has four digits
  EXPECT_FALSE(written_real(std::string(201, '1')));
}

TEST(WrittenValue, OfADayHasBlanksAroundItThatDoNotCount) {
  EXPECT_EQ(written_day("2020-02-29"), Day::of(2020, 2, 29));
  EXPECT_EQ(written_day("  2020-02-29 "), Day::of(2020, 2, 29));
  for (const char* const text : {"2019-02-29", "2020-2-29", "\t2020-02-29", "2020-02-29x", "20200229", ""})
    EXPECT_FALSE(written_day(text)) << text;
}

TEST(WrittenValue, OfIntegersIsExact) {
  EXPECT_EQ(written_integer("922337203685477580.7e1"), INT64_MAX);
  EXPECT_EQ(written_integer("500e-2"), 5);
  EXPECT_EQ(written_integer(".5e1"), 5);
  EXPECT_EQ(written_integer("0.5e19"), 5'000'000'000'000'000'000);
  EXPECT_EQ(written_integer("0.00e-7777"), 0);
  EXPECT_FALSE(written_integer("501e-2"));
  EXPECT_FALSE(written_integer("9223372036854775808"));
}

}  // namespace
}  // namespace vernier::query
