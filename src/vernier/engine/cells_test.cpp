#include "vernier/engine/cells.hpp"

#include <string>

#include <gtest/gtest.h>

namespace vernier::engine {
namespace {

TEST(Cells, ReadIntegersOf64Bits) {
  EXPECT_EQ(integer_cell("12"), 12);
  EXPECT_EQ(integer_cell("  -7 "), -7);
  EXPECT_EQ(integer_cell("+007"), 7);
  EXPECT_EQ(integer_cell("9223372036854775807"), INT64_MAX);
  EXPECT_EQ(integer_cell("-9223372036854775808"), INT64_MIN);
  for (const char* const text : {"", " ", "-", "+", "+-1", "-+1", "1.0", "1e3", "0x10", "1_000", "1 2",
                                 "9223372036854775808", "true", "\u0661"}) {
    EXPECT_FALSE(integer_cell(text)) << text;
  }
}

TEST(Cells, ReadFiniteReals) {
  EXPECT_EQ(real_cell("0.5"), 0.5);
  EXPECT_EQ(real_cell(" +5e-1 "), 0.5);
  EXPECT_EQ(real_cell("-1E3"), -1000);
  EXPECT_EQ(real_cell(".5"), 0.5);
  EXPECT_EQ(real_cell("12"), 12);
  for (const char* const text :
       {"", "nan", "inf", "-inf", "infinity", "1e400", "1,5", "0x1p3", "+-1", "+inf", "+nan", "e5", "1e", "5 %"}) {
    EXPECT_FALSE(real_cell(text)) << text;
  }
}

TEST(Cells, ReadDaysAndTruthValues) {
  EXPECT_EQ(date_cell(" 2020-02-29 "), query::Day::of(2020, 2, 29));
  for (const char* const text :
       {"", "2021-02-29", "20-2-2020", "2020-2-9", "0000-01-01", "2020-01-01 00:00", "infinity"}) {
    EXPECT_FALSE(date_cell(text)) << text;
  }
  EXPECT_EQ(boolean_cell("TRUE"), true);
  EXPECT_EQ(boolean_cell(" False "), false);
  EXPECT_EQ(boolean_cell("1"), true);
  EXPECT_EQ(boolean_cell("0"), false);
  for (const char* const text : {"", "t", "2", "01", "yes", "truex", "nan"}) EXPECT_FALSE(boolean_cell(text)) << text;
}

}  // namespace
}  // namespace vernier::engine
