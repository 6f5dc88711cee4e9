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
  for (const char* const text : {"",
                                 " ",
                                 "-",
                                 "+",
                                 "+-1",
                                 "-+1",
                                 "1.5",
                                 "0x10",
                                 "1_000",
                                 "1 2",
                                 "1,5",
                                 "1.0.0",
                                 "1e",
                                 "e3",
                                 ".",
                                 "-.",
                                 "9223372036854775808",
                                 "true",
                                 "\u0661",
                                 "1e19",
                                 "9.3e18",
                                 "1e-1"}) {
    EXPECT_FALSE(integer_cell(text)) << text;
  }
}

// What programs write of whole numbers: with one value missing, or rounded to powers of ten.
TEST(Cells, ReadWholeDecimalsAsIntegers) {
  EXPECT_EQ(integer_cell("17000.0"), 17000);
  EXPECT_EQ(integer_cell("-3.000"), -3);
  EXPECT_EQ(integer_cell("1e+05"), 100000);
  EXPECT_EQ(integer_cell("1.7E4"), 17000);
  EXPECT_EQ(integer_cell("0e9999"), 0);
  EXPECT_EQ(integer_cell("-0.0"), 0);
  EXPECT_EQ(integer_cell("5."), 5);
  EXPECT_EQ(integer_cell("9007199254740993.0"), 9007199254740993);  // which no double is
  EXPECT_EQ(integer_cell("9223372036854775807.00"), INT64_MAX);
  EXPECT_EQ(integer_cell("-9223372036854775808.0"), INT64_MIN);
  EXPECT_EQ(integer_cell("9223372036854775808.0"), std::nullopt);
  EXPECT_EQ(integer_cell("1e2147483648"), std::nullopt);
  EXPECT_EQ(integer_cell("10000000000000000000000e-20"), 100);
}

TEST(Cells, ReadNumbersAsDeclared) {
  std::string room;
  const query::CellFormat comma{.decimal_mark = ','};
  EXPECT_EQ(real_cell("1,5", comma, room), 1.5);
  EXPECT_EQ(real_cell(" -0,25 ", comma, room), -0.25);
  EXPECT_EQ(integer_cell("17000,0", comma, room), 17000);
  for (const char* const text : {"1.5", "1.500", "1,5,0", "1.500,0"})
    EXPECT_FALSE(real_cell(text, comma, room)) << text;
  const query::CellFormat german{.decimal_mark = ',', .thousands = "."};
  EXPECT_EQ(real_cell("1.234.567,5", german, room), 1234567.5);
  EXPECT_EQ(real_cell("+12", german, room), 12);
  EXPECT_EQ(integer_cell("1.500", german, room), 1500);
  for (const char* const text : {"1.5", "1.50", "1234.567", ".500", "1..500", "1.500.", "1,500.0", "-.500"})
    EXPECT_FALSE(real_cell(text, german, room)) << text;
  const query::CellFormat narrow{.thousands = "\u202f"};
  EXPECT_EQ(integer_cell("12\u202f345", narrow, room), 12345);
}

TEST(Cells, ReadDaysAndTruthValuesAsDeclared) {
  const query::CellFormat german{.date_format = "%d.%m.%Y"};
  EXPECT_EQ(date_cell("1.2.2020", german), query::Day::of(2020, 2, 1));
  EXPECT_EQ(date_cell(" 29.02.2020 ", german), query::Day::of(2020, 2, 29));
  for (const char* const text : {"29.02.2021", "2020-02-29", "1.2.20", "01.02.2020 ", "", "1.2.2020x", "1.13.2020"})
    EXPECT_EQ(date_cell(text, german).has_value(), std::string_view(text) == "01.02.2020 ") << text;
  EXPECT_EQ(date_cell("3-Mar-1999", {.date_format = "%d-%b-%Y"}), query::Day::of(1999, 3, 3));
  EXPECT_EQ(date_cell("20200229", {.date_format = "%Y%m%d"}), query::Day::of(2020, 2, 29));
  EXPECT_EQ(date_cell("69/1/2", {.date_format = "%y/%m/%d"}), query::Day::of(1969, 1, 2));
  EXPECT_EQ(date_cell("68/1/2", {.date_format = "%y/%m/%d"}), query::Day::of(2068, 1, 2));
  EXPECT_EQ(date_cell("2020-02-29 23:59:07", {.date_format = "%Y-%m-%d %H:%M:%S"}), query::Day::of(2020, 2, 29));
  EXPECT_FALSE(date_cell("2020-02-29 24:00:00", {.date_format = "%Y-%m-%d %H:%M:%S"}));
  const query::CellFormat words{.true_words = {"yes", "y"}, .false_words = {"no"}};
  EXPECT_EQ(boolean_cell("YES", words), true);
  EXPECT_EQ(boolean_cell(" no ", words), false);
  EXPECT_FALSE(boolean_cell("true", words));
  EXPECT_FALSE(boolean_cell("0", words));
}

TEST(Cells, KnowTextsThatMeanMissing) {
  std::string room;
  const query::CellFormat format{.missing_texts = {"NA", "-9"}, .trim = true};
  EXPECT_FALSE(integer_cell(" -9 ", format, room));
  EXPECT_EQ(integer_cell("9", format, room), 9);
  EXPECT_FALSE(real_cell("NA", format, room));
  EXPECT_EQ(text_cell(" NA ", format), "");
  EXPECT_EQ(text_cell(" north ", format), "north");
  EXPECT_EQ(text_cell(" north ", {}), " north ");
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
