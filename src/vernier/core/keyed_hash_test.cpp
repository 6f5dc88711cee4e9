#include "vernier/core/keyed_hash.hpp"

#include <string>

#include <gtest/gtest.h>

namespace vernier {
namespace {

std::string hash_of(std::string_view key, const std::vector<std::string>& parts) {
  Result<KeyedHash> hash = KeyedHash::of(key);
  for (const std::string& part : parts) hash->add(part);
  return std::move(*hash).digits().value();
}

// RFC 4231, test cases 1, 2 and 6.
TEST(KeyedHash, IsHmacSha256) {
  EXPECT_EQ(hash_of(std::string(20, '\x0b'), {"Hi There"}),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  EXPECT_EQ(hash_of("Jefe", {"what do ya want for nothing?"}),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  EXPECT_EQ(hash_of(std::string(131, '\xaa'), {"Test Using Larger Than Block-Size Key - Hash Key First"}),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

TEST(KeyedHash, TakesBytesInAnyParts) {
  EXPECT_EQ(hash_of("key", {"one ", "", "text"}), hash_of("key", {"one text"}));
  EXPECT_NE(hash_of("key", {"one text"}), hash_of("kez", {"one text"}));
}

TEST(KeyedHash, TellsCountedTextsApart) {
  const auto counted = [](std::string_view first, std::string_view second) {
    Result<KeyedHash> hash = KeyedHash::of("key");
    hash->add_counted(first);
    hash->add_counted(second);
    return std::move(*hash).digits().value();
  };
  EXPECT_NE(counted("ab", "c"), counted("a", "bc"));
  EXPECT_EQ(counted("ab", "c"), counted("ab", "c"));
}

}  // namespace
}  // namespace vernier
