#include "cli/ledger/amounts.hpp"

#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

namespace vernier::cli {
namespace {

QuantaText at(const char* quantum) { return QuantaText(numeric::Rational::of_decimal(quantum).value()); }

TEST(QuantaText, IsExact) {
  EXPECT_EQ(at("1e-18").exact(750'000'000'000'000'000), "0.75");
  EXPECT_EQ(at("1e-18").exact(1'234'567'890'123'456'789), "1.234567890123456789");
  EXPECT_EQ(at("1e-24").exact(125'000'000'000'000'000), "1.25e-07");
  EXPECT_EQ(at("1e-24").exact(100'000'000'000'000'000), "1e-07");
  EXPECT_EQ(at("1e-318").exact(1), "1e-318");
  EXPECT_EQ(at("1e-14").exact(1'000'000'000'000'000'000), "10000");
  EXPECT_EQ(at("1").exact(120), "120");
  EXPECT_EQ(at("1000").exact(12), "12000");
  EXPECT_EQ(at("1e-18").exact(0), "0");
  EXPECT_EQ(at("1e-9").exact(12'345), "1.2345e-05");
  EXPECT_EQ(at("1e-9").exact(123'456), "0.000123456");
}

TEST(QuantaText, RoundsAsItIsTold) {
  const QuantaText text = at("1e-18");
  EXPECT_EQ(text.up(1'234'567'000'000'000'000), "1.2346");
  EXPECT_EQ(text.down(1'234'567'000'000'000'000), "1.2345");
  EXPECT_EQ(text.up(1'000'000'000'000'000'001), "1.0001");
  EXPECT_EQ(text.down(1'999'999'999'999'999'999), "1.9999");
  EXPECT_EQ(text.up(1'999'999'999'999'999'999), "2");
  EXPECT_EQ(text.up(300'000'000'000'000'000), "0.3");
  EXPECT_EQ(text.down(300'000'000'000'000'000), "0.3");
  EXPECT_EQ(text.up(7), "7e-18");
  EXPECT_EQ(text.down(0), "0");
  EXPECT_EQ(text.up(9'999'999, 3), "1e-11");
}

TEST(QuantaText, SaysParts) {
  EXPECT_EQ(percent_text(thousandths_up(413, 1000)), "41.3 %");
  EXPECT_EQ(thousandths_up(1, 3), 334);
  EXPECT_EQ(thousandths_down(1, 3), 333);
  EXPECT_EQ(thousandths_up(1, 1'000'000'000'000'000'000), 1);
  EXPECT_EQ(thousandths_down(999'999'999'999'999'999, 1'000'000'000'000'000'000), 999);
  EXPECT_EQ(thousandths_up(0, 0), 0);
  EXPECT_EQ(percent_text(1000), "100.0 %");
}

}  // namespace

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
