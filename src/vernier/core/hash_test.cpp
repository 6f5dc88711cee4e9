#include "vernier/core/hash.hpp"

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

}  // namespace
}  // namespace vernier
