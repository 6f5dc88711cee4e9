#include "vernier/core/hash.hpp"

#include <cstdio>

#include <gtest/gtest.h>

namespace vernier {
namespace {

// The examples of FIPS 180-4.
TEST(Hash, IsSha256) {
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

TEST(Hash, LooksAtEveryByte) {
  EXPECT_NE(*sha256(std::string_view("a\0b", 3)), *sha256(std::string_view("a\0c", 3)));
  EXPECT_EQ(hex(std::string_view("\x00\xff\x1a", 3)), "00ff1a");
}

TEST(Hash, WritesEveryByteAsItsTwoDigits) {
  for (int byte = 0; byte < 256; ++byte) {
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x", byte);
    const std::string expected(digits);
    const std::string five(5, static_cast<char>(byte));
    EXPECT_EQ(hex(five), expected + expected + expected + expected + expected);
  }
  EXPECT_EQ(hex("\x01\x23\x45\x67\x89\xab\xcd\xef\x10"), "0123456789abcdef10");
}

}  // namespace
}  // namespace vernier
