#include "cli/decimal.hpp"

#include <cmath>

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
    EXPECT_NE(read.error().sentence.find("--epsilon"), std::string::npos);
  }
}

}  // namespace
}  // namespace vernier::cli
