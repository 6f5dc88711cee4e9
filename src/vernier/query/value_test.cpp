#include "vernier/query/value.hpp"

#include <gtest/gtest.h>

namespace vernier::query {
namespace {

TEST(Value, KnowsItsType) {
  EXPECT_EQ(type_of(true), Type::boolean);
  EXPECT_EQ(type_of(std::int64_t{3}), Type::integer);
  EXPECT_EQ(type_of(0.5), Type::real);
  EXPECT_EQ(type_of(std::string("x")), Type::string);
  EXPECT_EQ(type_of(Day{0}), Type::date);
}

TEST(Value, TypesAndNamesGoBothWays) {
  EXPECT_EQ(type_names(), (std::vector<std::string>{"boolean", "integer", "real", "string", "date"}));
  for (const std::string& name : type_names()) EXPECT_EQ(name_of(type_named(name).value()), name);
  EXPECT_FALSE(type_named("Integer"));
  EXPECT_FALSE(type_named(""));
}

TEST(Value, IsWrittenForAPerson) {
  EXPECT_EQ(text_of(Value(false)), "false");
  EXPECT_EQ(text_of(Value(std::int64_t{-7})), "-7");
  EXPECT_EQ(text_of(Value(0.25)), "0.25");
  EXPECT_EQ(text_of(Value(-200000.0)), "-200000");
  EXPECT_EQ(text_of(Value(1e15)), "1e+15");
  EXPECT_EQ(text_of(Value("north")), "north");
  EXPECT_EQ(text_of(Value(Day{-1})), "1969-12-31");
}

TEST(Day, IsCountedFrom1970) {
  EXPECT_EQ(Day::of(1970, 1, 1)->number, 0);
  EXPECT_EQ(Day::of(2000, 3, 1)->number, 11017);
  EXPECT_EQ(Day::of(1, 1, 1)->number, -719162);
  EXPECT_EQ(Day::of(9999, 12, 31)->number, 2932896);
  EXPECT_EQ(text_of(Day{-719162}), "0001-01-01");
}

TEST(Day, IsReadAsItIsWrittenAndNotOtherwise) {
  for (const std::int32_t number : {-719162, -1, 0, 59, 11016, 20000, 2932896}) {
    EXPECT_EQ(read_day(text_of(Day{number}))->number, number);
  }
  for (const char* const text : {"", "2026-02-29", "2026-13-01", "2026-00-10", "0000-01-01", "2026-1-01", "26-01-01x",
                                 "2026-01-01 ", "+026-01-01", "2026/01/01", "2026-01--1", "10000-01-01"}) {
    EXPECT_FALSE(read_day(text)) << text;
  }
}

}  // namespace
}  // namespace vernier::query
