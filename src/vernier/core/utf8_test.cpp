#include "vernier/core/utf8.hpp"

#include <random>
#include <string>

#include <gtest/gtest.h>

namespace vernier {
namespace {

// Every code point by its own rule: the reference encodes, and knows nothing of the table that is tested.
std::string encoded(char32_t c) {
  const auto byte = [](char32_t bits) { return static_cast<char>(static_cast<unsigned char>(bits)); };
  if (c < 0x80) return {byte(c)};
  if (c < 0x800) return {byte(0xC0 | c >> 6), byte(0x80 | (c & 0x3F))};
  if (c < 0x10000) return {byte(0xE0 | c >> 12), byte(0x80 | (c >> 6 & 0x3F)), byte(0x80 | (c & 0x3F))};
  return {byte(0xF0 | c >> 18), byte(0x80 | (c >> 12 & 0x3F)), byte(0x80 | (c >> 6 & 0x3F)), byte(0x80 | (c & 0x3F))};
}

TEST(Utf8, HasEveryCharacterAndNoSurrogate) {
  for (char32_t c = 0; c <= 0x110400; ++c) {
    const bool is_character = c <= 0x10FFFF && (c < 0xD800 || c > 0xDFFF);
    ASSERT_EQ(is_utf8(encoded(c)), is_character) << static_cast<std::uint32_t>(c);
  }
}

// All texts of one to three bytes: as many are valid as there are ways to write them.
TEST(Utf8, RefusesEverythingElse) {
  std::string text(3, '\0');
  std::int64_t valid = 0;
  for (std::uint32_t bytes = 0; bytes < 1U << 24; ++bytes) {
    for (unsigned i = 0; i < 3; ++i) text[i] = static_cast<char>(bytes >> (8 * i));
    valid += is_utf8(text) ? 1 : 0;
  }
  const std::int64_t ones = 128;
  const std::int64_t twos = 0x800 - 0x80;
  const std::int64_t threes = 0x10000 - 0x800 - 0x800;
  EXPECT_EQ(valid, ones * ones * ones + 2 * ones * twos + threes);
}

// A bad byte is found wherever it stands among eight at a time.
TEST(Utf8, LooksAtEveryByte) {
  for (std::size_t length = 1; length < 40; ++length) {
    EXPECT_TRUE(is_utf8(std::string(length, 'a')));
    for (std::size_t i = 0; i < length; ++i) {
      std::string text(length, 'a');
      text[i] = '\xff';
      EXPECT_FALSE(is_utf8(text));
      text[i] = '\xc3';
      EXPECT_FALSE(is_utf8(text));
      EXPECT_EQ(is_utf8(text.replace(i, 1, "é")), true);
    }
  }
}

}  // namespace
}  // namespace vernier
