#include "vernier/random/bit_stream.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <openssl/evp.h>

#include "support/blind_mark.hpp"
#include "vernier/random/source.hpp"

namespace vernier::random {
namespace {

using Bytes = std::vector<unsigned char>;

Bytes from_hex(const char* digits) {
  Bytes bytes;
  for (; *digits != 0; digits += 2)
    bytes.push_back(static_cast<unsigned char>(std::stoi(std::string(digits, 2), nullptr, 16)));
  return bytes;
}

Bytes exclusive_or(Bytes a, const Bytes& b) {
  std::ranges::transform(a, b, a.begin(), std::bit_xor<>());
  return a;
}

Bytes part(const Bytes& bytes, std::size_t from, std::size_t size) {
  return Bytes(bytes.begin() + static_cast<std::ptrdiff_t>(from),
               bytes.begin() + static_cast<std::ptrdiff_t>(from + size));
}

// An entropy that gives the bytes that a test sets, over and over, and counts the reads.
struct SetEntropy {
  static inline Bytes seed;
  static inline int reads = 0;
  static Result<void> read(std::span<std::byte> bytes) {
    ++reads;
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(seed[i % seed.size()]);
    return {};
  }
};

using SetStream = BasicBitStream<SetEntropy, testing::BlindMark>;

SetStream stream_of(const Bytes& seed) {
  SetEntropy::seed = seed;
  SetEntropy::reads = 0;
  return SetStream::open().value();
}

// The stream's next words, as bytes in memory order.
Bytes filled(SetStream& stream, std::size_t words) {
  std::vector<std::uint64_t> memory(words, 0xdead);
  EXPECT_TRUE(stream.fill(memory));
  Bytes bytes(words * sizeof(std::uint64_t));
  std::memcpy(bytes.data(), memory.data(), bytes.size());
  return bytes;
}

// AES-256-CTR of `seed` (key, then counter), straight from OpenSSL.
Bytes aes_256_ctr(const Bytes& seed, std::size_t size) {
  Bytes zeros(size), output(size);
  int written = 0;
  EVP_CIPHER_CTX* const context = EVP_CIPHER_CTX_new();
  EXPECT_EQ(EVP_EncryptInit_ex(context, EVP_aes_256_ctr(), nullptr, seed.data(), seed.data() + 32), 1);
  EXPECT_EQ(EVP_EncryptUpdate(context, output.data(), &written, zeros.data(), static_cast<int>(size)), 1);
  EVP_CIPHER_CTX_free(context);
  return output;
}

// NIST SP 800-38A, F.5.5: CTR-AES256.Encrypt.
const Bytes nist_seed =
    from_hex("603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff");
const Bytes nist_plain = from_hex(
    "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
    "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710");
const Bytes nist_cipher = from_hex(
    "601ec313775789a5b7a7f504bbf3d228f443e3ca4d62b59aca84e990cacaf5c5"
    "2b0930daa23de94ce87017ba2d84988ddfc9c58db67aada613c2dd08457941a6");

TEST(BitStream, IsAes256InCounterModeOfTheKernelsBytes) {
  SetStream stream = stream_of(nist_seed);
  EXPECT_EQ(exclusive_or(filled(stream, 8), nist_plain), nist_cipher);
}

TEST(BitStream, GivesTheSameWordsOneByOne) {
  SetStream stream = stream_of(nist_seed);
  const Bytes expected = aes_256_ctr(nist_seed, 8 * SetStream::buffered_words);
  for (std::size_t i = 0; i < SetStream::buffered_words; ++i) {
    const std::uint64_t word = stream.next().value();
    EXPECT_EQ(std::memcmp(&word, expected.data() + 8 * i, 8), 0) << i;
  }
}

TEST(BitStream, GivesTheSameWordsTwoByTwo) {
  SetStream stream = stream_of(nist_seed);
  SetStream twin = stream_of(nist_seed);
  for (std::size_t i = 0; i < 2 * SetStream::buffered_words; ++i) {
    const std::uint64_t first = twin.next().value();
    EXPECT_EQ(stream.next_two().value(), (std::array{first, twin.next().value()})) << i;
  }
}

TEST(BitStream, DropsALastOddWordRatherThanGiveOneOfTwoErased) {
  SetStream stream = stream_of(nist_seed);
  for (std::size_t i = 1; i < SetStream::buffered_words; ++i) ASSERT_TRUE(stream.next());
  const Bytes next_key = part(aes_256_ctr(nist_seed, 4096 + 48), 4096, 48);
  const std::array<std::uint64_t, 2> words = stream.next_two().value();
  EXPECT_EQ(std::memcmp(words.data(), aes_256_ctr(next_key, 16).data(), 16), 0);
}

TEST(BitStream, TakesEveryNextKeyFromTheStreamItself) {
  for (const std::size_t words : {1, 2, 7, 512, 2047, 2048}) {
    SetStream stream = stream_of(nist_seed);
    const Bytes first = aes_256_ctr(nist_seed, 8 * words + 48);
    EXPECT_EQ(filled(stream, words), part(first, 0, 8 * words));
    EXPECT_EQ(filled(stream, 5), aes_256_ctr(part(first, 8 * words, 48), 40)) << words;
  }
}

TEST(BitStream, ChangesTheKeyWithinALongFill) {
  SetStream stream = stream_of(nist_seed);
  const Bytes words = filled(stream, 2048 + 3);
  const Bytes first = aes_256_ctr(nist_seed, 16384 + 48);
  EXPECT_EQ(part(words, 0, 16384), part(first, 0, 16384));
  EXPECT_EQ(part(words, 16384, 24), aes_256_ctr(part(first, 16384, 48), 24));
}

TEST(BitStream, MixesFreshBytesIntoTheKeyOnRefresh) {
  SetStream stream = stream_of(nist_seed);
  SetEntropy::seed = Bytes(48, 0xa5);
  ASSERT_TRUE(stream.refresh());
  const Bytes mixed = exclusive_or(aes_256_ctr(nist_seed, 48), SetEntropy::seed);
  EXPECT_EQ(filled(stream, 10), aes_256_ctr(mixed, 80));
}

TEST(BitStream, DropsBufferedWordsOnRefresh) {
  SetStream stream = stream_of(nist_seed);
  EXPECT_TRUE(stream.next());
  const Bytes first = aes_256_ctr(nist_seed, 4096 + 48);
  const Bytes mixed = exclusive_or(aes_256_ctr(part(first, 4096, 48), 48), nist_seed);
  ASSERT_TRUE(stream.refresh());
  const std::uint64_t word = stream.next().value();
  EXPECT_EQ(std::memcmp(&word, aes_256_ctr(mixed, 8).data(), 8), 0);
}

TEST(BitStream, ReadsFreshEntropyAfterEvery64MiB) {
  SetStream stream = stream_of(nist_seed);
  std::vector<std::uint64_t> words(SetStream::words_between_reseeds);
  EXPECT_EQ(words.size() * 8, 67'108'864u);
  ASSERT_TRUE(stream.fill(words));
  EXPECT_EQ(SetEntropy::reads, 1);
  EXPECT_TRUE(stream.next());
  EXPECT_EQ(SetEntropy::reads, 2);
  ASSERT_TRUE(stream.fill(words));
  EXPECT_EQ(SetEntropy::reads, 3);
}

TEST(BitStream, ReadsFreshEntropyForSingleWordsToo) {
  SetStream stream = stream_of(nist_seed);
  for (std::uint64_t i = 0; i < SetStream::words_between_reseeds; ++i) ASSERT_TRUE(stream.next());
  EXPECT_EQ(SetEntropy::reads, 1);
  EXPECT_TRUE(stream.next());
  EXPECT_EQ(SetEntropy::reads, 2);
}

TEST(BitStream, CanBeMovedAndThenTheOldOneGivesNothing) {
  SetStream stream = stream_of(nist_seed);
  EXPECT_TRUE(stream.next());
  SetStream moved = std::move(stream);
  std::array<std::uint64_t, 3> words = {7, 7, 7};
  EXPECT_EQ(stream.next().error().kind, ErrorKind::invalid);
  EXPECT_EQ(stream.fill(words).error().kind, ErrorKind::invalid);
  EXPECT_EQ(stream.refresh().error().kind, ErrorKind::invalid);
  EXPECT_EQ(words, (std::array<std::uint64_t, 3>{}));
  const std::uint64_t second = moved.next().value();
  EXPECT_EQ(std::memcmp(&second, aes_256_ctr(nist_seed, 16).data() + 8, 8), 0);
  static_assert(!std::is_copy_constructible_v<BitStream> && !std::is_copy_assignable_v<BitStream>);
}

TEST(BitStream, FillsNothingWithoutHarm) {
  BitStream stream = BitStream::open().value();
  EXPECT_TRUE(stream.fill({}));
}

// P[two of 64 * 2 * 2 words of 64 bits agree] < 1e-14 * 0.2.
TEST(BitStream, IsAnotherInEveryThread) {
  std::mutex lock;
  std::set<std::uint64_t> seen;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 64; ++i) {
      threads.emplace_back([&] {
        Source* const source = thread_source().value();
        for (int repetition = 0; repetition < 2; ++repetition) {
          const std::array words = {source->draws.next().value(), source->extensions.next().value()};
          const std::lock_guard<std::mutex> guard(lock);
          seen.insert(words.begin(), words.end());
        }
      });
    }
  }
  EXPECT_EQ(seen.size(), 256u);
}

// Standard scores of the number of ones and of the number of runs among n fair bits: mean n/2 and (n+1)/2, variance n/4
// and (n-1)/4.
struct Scores {
  double ones;
  double runs;
};

Scores scores(const std::vector<std::uint64_t>& words) {
  double ones = 0, runs = 1;
  std::uint64_t before = words[0] & 1;
  for (const std::uint64_t word : words) {
    ones += std::popcount(word);
    runs += std::popcount(word ^ (word << 1 | before));
    before = word >> 63;
  }
  const double n = 64.0 * static_cast<double>(words.size());
  return {(ones - n / 2) / std::sqrt(n / 4), (runs - (n + 1) / 2) / std::sqrt((n - 1) / 4)};
}

constexpr double limit = 6.11;  // a standard normal exceeds it in size with probability 1e-9

TEST(BitStream, HasFairAndIndependentBits) {
  BitStream stream = BitStream::open().value();
  std::vector<std::uint64_t> words(156'250);  // 1e7 bits
  ASSERT_TRUE(stream.fill(words));
  EXPECT_LT(std::abs(scores(words).ones), limit);
  EXPECT_LT(std::abs(scores(words).runs), limit);
  for (std::uint64_t& word : words) word = stream.next().value();
  EXPECT_LT(std::abs(scores(words).ones), limit);
  EXPECT_LT(std::abs(scores(words).runs), limit);
}

// The power of the test above: one bit of a word that is always one, or that repeats its neighbour, is found.
TEST(BitStream, WouldBeCaughtWithOneBadBitIn64) {
  BitStream stream = BitStream::open().value();
  std::vector<std::uint64_t> words(156'250);
  ASSERT_TRUE(stream.fill(words));
  std::vector<std::uint64_t> stuck = words, repeated = words;
  for (std::uint64_t& word : stuck) word |= 1;
  for (std::uint64_t& word : repeated) word = (word & ~std::uint64_t{2}) | (word & 1) << 1;
  EXPECT_GT(scores(stuck).ones, limit);
  EXPECT_LT(scores(repeated).runs, -limit);
}

}  // namespace
}  // namespace vernier::random
