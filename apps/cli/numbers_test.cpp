#include "cli/numbers.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace vernier::cli {
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
