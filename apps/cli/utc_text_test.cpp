#include "cli/utc_text.hpp"

#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

namespace vernier::cli {
namespace {

TEST(UtcText, SaysDateAndTime) {
  EXPECT_EQ(utc_text(0), "1970-01-01T00:00:00Z");
  EXPECT_EQ(utc_text(1'000'000'000), "2001-09-09T01:46:40Z");
  EXPECT_EQ(utc_text(951'827'696), "2000-02-29T12:34:56Z");
  EXPECT_EQ(utc_text(-1), "1969-12-31T23:59:59Z");
}

TEST(UtcText, TakesWhateverAClockSaid) {
  EXPECT_EQ(utc_text(std::numeric_limits<std::int64_t>::max()), "9223372036854775807 s");
}

}  // namespace
}  // namespace vernier::cli
