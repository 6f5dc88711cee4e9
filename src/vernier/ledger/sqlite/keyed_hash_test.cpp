#include <set>

#include <gtest/gtest.h>

#include "vernier/ledger/sqlite/keys.hpp"

namespace vernier::ledger {
namespace {

std::string bytes_up_to(std::size_t count) {
  std::string bytes;
  for (std::size_t i = 0; i < count; ++i) bytes.push_back(static_cast<char>(i));
  return bytes;
}

// The vectors of the authors' reference program, whose key is the bytes 0 to 15.
TEST(KeyedHash, IsSipHash) {
  const KeyedHash hash(0x0706050403020100, 0x0f0e0d0c0b0a0908);
  EXPECT_EQ(hash.of(""), 0x726fdb47dd0e0e31);
  EXPECT_EQ(hash.of(bytes_up_to(1)), 0x74f839c593dc67fd);
  EXPECT_EQ(hash.of(bytes_up_to(8)), 0x93f5f5799a932462);
  EXPECT_EQ(hash.of(bytes_up_to(15)), 0xa129ca6149be45e5);
}

TEST(KeyedHash, HasAnotherKeyEachTime) {
  std::set<std::uint64_t> hashes;
  for (int i = 0; i < 20; ++i) hashes.insert(KeyedHash::with_random_key()->of("a request"));
  EXPECT_EQ(hashes.size(), 20U);
}

}  // namespace
}  // namespace vernier::ledger
