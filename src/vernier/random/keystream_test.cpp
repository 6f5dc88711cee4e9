#include "vernier/random/keystream.hpp"

#include <algorithm>
#include <array>

#include <gtest/gtest.h>
#include <openssl/evp.h>

// bit_stream_test.cpp checks the keystream against NIST's vectors and OpenSSL's own; here is how it deals with its
// inputs and with failure.
namespace vernier::random {
namespace {

using Seed = std::array<std::byte, seed_bytes>;

Seed seed_of(int value) {
  Seed seed;
  seed.fill(static_cast<std::byte>(value));
  return seed;
}

TEST(Keystream, WipesTheSeedAndTheBytesMixedIn) {
  Seed seed = seed_of(1), fresh = seed_of(2);
  Keystream stream = Keystream::open(seed).value();
  EXPECT_EQ(seed, seed_of(0));
  EXPECT_TRUE(stream.mix(fresh));
  EXPECT_EQ(fresh, seed_of(0));
}

TEST(Keystream, GivesZerosAndAnErrorOnceItsStateIsGone) {
  Seed seed = seed_of(1), fresh = seed_of(2);
  Keystream stream = Keystream::open(seed).value();
  const Keystream moved = std::move(stream);
  std::array<std::uint64_t, 3> words = {7, 7, 7};
  EXPECT_EQ(stream.write(words).error().kind, ErrorKind::system);
  EXPECT_EQ(words, (std::array<std::uint64_t, 3>{}));
  EXPECT_EQ(stream.mix(fresh).error().kind, ErrorKind::system);
  EXPECT_EQ(fresh, seed_of(0));
}

TEST(Keystream, IsRefusedWhereOpensslHasNoSuchCipher) {
  Seed seed = seed_of(1);
  ASSERT_EQ(EVP_set_default_properties(nullptr, "provider=none_of_this_name"), 1);
  const auto refused = Keystream::open(seed);
  ASSERT_EQ(EVP_set_default_properties(nullptr, ""), 1);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::system);
  EXPECT_EQ(refused.error().sentence(),
            "OpenSSL could not run AES-256-CTR, so there is no noise; check that its default provider is enabled");
  EXPECT_EQ(seed, seed_of(0));
  EXPECT_TRUE(Keystream::open(seed));
}

}  // namespace
}  // namespace vernier::random
