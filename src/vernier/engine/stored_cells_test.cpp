#include <charconv>
#include <cmath>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "vernier/engine/cells.hpp"

namespace vernier::engine {
namespace {

std::string big_endian(std::int64_t value, int bytes) {
  std::string text;
  for (int i = bytes - 1; i >= 0; --i) text += static_cast<char>(value >> std::min(63, 8 * i));
  return text;
}

TEST(StoredCells, TextIsUtf8OrNothing) {
  EXPECT_EQ(text_of_bytes("größe"), "größe");
  EXPECT_EQ(text_of_bytes(""), "");
  EXPECT_EQ(text_of_bytes(std::string_view("a\0b", 3)), std::string_view("a\0b", 3));
  EXPECT_FALSE(text_of_bytes("\xff\xfe"));
}

TEST(StoredCells, UuidHasSixteenBytes) {
  const std::string bytes = "\x12\x3e\x45\x67\xe8\x9b\x12\xd3\xa4\x56\x42\x66\x14\x17\x40";
  EXPECT_EQ(text_of_uuid(bytes + std::string(1, '\0'))->view(), "123e4567-e89b-12d3-a456-426614174000");
  EXPECT_EQ(text_of_uuid(std::string(16, '\xff'))->view(), "ffffffff-ffff-ffff-ffff-ffffffffffff");
  EXPECT_FALSE(text_of_uuid(bytes));
  EXPECT_FALSE(text_of_uuid(""));
}

// Against the decimal that is written down.
TEST(StoredCells, DecimalIsTheNearestDouble) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 200'000; ++i) {
    const auto number = static_cast<std::int64_t>(random()) >> (random() % 64);
    const auto scale = static_cast<std::int32_t>(random() % 39);
    const int bytes = 8 + static_cast<int>(random() % 30);
    const std::string text = std::to_string(number) + "e-" + std::to_string(scale);
    double expected = 0;
    std::from_chars(text.data(), text.data() + text.size(), expected);
    ASSERT_EQ(real_of_decimal(big_endian(number, bytes), scale), expected) << text << " in " << bytes;
  }
}

TEST(StoredCells, DecimalHasAtMost128Bits) {
  EXPECT_EQ(real_of_decimal("\x7f" + std::string(15, '\xff'), 0), std::ldexp(1.0, 127));
  EXPECT_EQ(real_of_decimal("\x80" + std::string(15, '\0'), 0), -std::ldexp(1.0, 127));
  EXPECT_EQ(real_of_decimal(std::string(1000, '\xff'), 0), -1);
  EXPECT_EQ(real_of_decimal(std::string(1000, '\0'), 38), 0);
  EXPECT_FALSE(real_of_decimal("\x01" + std::string(16, '\0'), 0));
  EXPECT_FALSE(real_of_decimal(std::string("\0\x80", 2) + std::string(15, '\0'), 0));
  EXPECT_FALSE(real_of_decimal("\xfe" + std::string(16, '\xff'), 0));
  EXPECT_FALSE(real_of_decimal("", 0));
  EXPECT_FALSE(real_of_decimal("1", 39));
  EXPECT_FALSE(real_of_decimal("1", -1));
}

TEST(StoredCells, HalvesAreThoseOfIeee754) {
  const auto half = [](unsigned bits) {
    return *real_of_half(std::string{static_cast<char>(bits), static_cast<char>(bits >> 8U)});
  };
  EXPECT_EQ(half(0x3C00), 1.0);
  EXPECT_EQ(half(0xC000), -2.0);
  EXPECT_EQ(half(0x7BFF), 65504.0);
  EXPECT_EQ(half(0x0001), std::ldexp(1.0, -24));
  EXPECT_EQ(half(0x0400), std::ldexp(1.0, -14));
  EXPECT_TRUE(std::signbit(half(0x8000)));
  EXPECT_EQ(half(0xFC00), -HUGE_VAL);
  EXPECT_TRUE(std::isnan(half(0x7C01)));
  for (unsigned bits = 0; bits < 0x7C00; ++bits) ASSERT_LT(half(bits), half(bits + 1));
  EXPECT_FALSE(real_of_half("1"));
  EXPECT_FALSE(real_of_half("123"));
}

TEST(StoredCells, DaysAreThoseOfFourDigits) {
  EXPECT_EQ(day_of_number(0), query::Day::of(1970, 1, 1));
  EXPECT_EQ(day_of_number(-719162), query::Day::of(1, 1, 1));
  EXPECT_EQ(day_of_number(2932896), query::Day::of(9999, 12, 31));
  for (const std::int32_t none : {-719163, 2932897, INT32_MIN, INT32_MAX, -INT32_MAX})
    EXPECT_FALSE(day_of_number(none));
}

}  // namespace
}  // namespace vernier::engine
