#include <array>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "support/blind_mark.hpp"
#include "vernier/random/bit_stream.hpp"

// What was handed out, and the key that made it, are nowhere left in the memory that the stream or OpenSSL allocated.
// The tests keep words on the stack only, and look through the heap of the process byte by byte.
namespace vernier::random {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool heap_is_visible = false;  // the sanitizer brings an allocator of its own
#else
constexpr bool heap_is_visible = true;
#endif

#define NEED_VISIBLE_HEAP() \
  if (!heap_is_visible) GTEST_SKIP() << "the heap of a sanitizer cannot be searched"

std::span<const std::byte> heap() {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    if (!line.ends_with("[heap]")) continue;
    std::size_t dash = 0;
    const std::uintptr_t from = std::stoull(line, &dash, 16);
    const std::uintptr_t to = std::stoull(line.substr(dash + 1), nullptr, 16);
    return {reinterpret_cast<const std::byte*>(from), to - from};
  }
  return {};
}

// How often a word stands in the heap, at any alignment.
int copies_of(std::uint64_t word) {
  const std::span<const std::byte> memory = heap();
  int copies = 0;
  for (std::size_t i = 0; i + sizeof word <= memory.size(); ++i) {
    copies += std::memcmp(memory.data() + i, &word, sizeof word) == 0;
  }
  return copies;
}

// A key in read-only memory, so that the only copies in the heap are those of the stream.
constexpr std::array<std::uint64_t, 6> key = {0x0123456789abcdef, 0x1f2e3d4c5b6a7988, 0xfedcba9876543210,
                                              0x8796a5b4c3d2e1f0, 0x55aa33cc0ff0a55a, 0xc33c5aa5f00f6996};

struct KnownEntropy {
  static Result<void> read(std::span<std::byte> bytes) {
    std::memcpy(bytes.data(), key.data(), bytes.size());
    return {};
  }
};

using KnownStream = BasicBitStream<KnownEntropy, testing::BlindMark>;

TEST(Erasure, SearchFindsWhatIsThere) {
  NEED_VISIBLE_HEAP();
  const auto there = std::make_unique<std::array<std::uint64_t, 2>>(std::array<std::uint64_t, 2>{1, key[0] ^ 0x77});
  EXPECT_EQ(copies_of((*there)[1]), 1);
}

TEST(Erasure, OfAWordHappensAsItIsHandedOut) {
  NEED_VISIBLE_HEAP();
  KnownStream stream = KnownStream::open().value();
  std::array<std::uint64_t, 5> words{};
  for (std::uint64_t& word : words) word = stream.next().value();
  KnownStream twin = KnownStream::open().value();  // the same words, still waiting in its buffer
  EXPECT_EQ(twin.next().value(), words[0]);
  EXPECT_EQ(copies_of(words[0]), 0);
  EXPECT_EQ(copies_of(words[1]), 1);
  EXPECT_EQ(copies_of(words[4]), 1);
}

TEST(Erasure, LeavesNoCopyOfFilledWords) {
  NEED_VISIBLE_HEAP();
  KnownStream stream = KnownStream::open().value();
  std::array<std::uint64_t, 7> words{};  // odd: half a block of AES is left over
  ASSERT_TRUE(stream.fill(words));
  for (const std::uint64_t word : words) EXPECT_EQ(copies_of(word), 0);
}

TEST(Erasure, OfTheKeyHappensBeforeItsWordsAreHandedOut) {
  NEED_VISIBLE_HEAP();
  KnownStream stream = KnownStream::open().value();
  EXPECT_GT(copies_of(key[0]), 0);  // the key in use
  EXPECT_TRUE(stream.next());
  for (const std::uint64_t part : key) EXPECT_EQ(copies_of(part), 0);
}

TEST(Erasure, OfTheKeyHappensOnRefresh) {
  NEED_VISIBLE_HEAP();
  KnownStream stream = KnownStream::open().value();
  ASSERT_TRUE(stream.refresh());
  for (const std::uint64_t part : key) EXPECT_EQ(copies_of(part), 0);
}

TEST(Erasure, OfEverythingHappensWhenAStreamEnds) {
  NEED_VISIBLE_HEAP();
  std::optional<KnownStream> stream = KnownStream::open().value();
  const std::uint64_t first = stream->next().value();
  std::optional<KnownStream> twin = KnownStream::open().value();
  EXPECT_GT(copies_of(key[0]), 0);
  EXPECT_EQ(twin->next().value(), first);
  const std::uint64_t second = stream->next().value();
  EXPECT_EQ(copies_of(second), 1);  // in the twin's buffer
  twin.reset();
  stream.reset();
  EXPECT_EQ(copies_of(second), 0);
  for (const std::uint64_t part : key) EXPECT_EQ(copies_of(part), 0);
}

TEST(Erasure, OfTheKeyHappensWhenAnUnusedStreamEnds) {
  NEED_VISIBLE_HEAP();
  std::optional<KnownStream> stream = KnownStream::open().value();
  EXPECT_GT(copies_of(key[0]), 0);
  stream.reset();
  for (const std::uint64_t part : key) EXPECT_EQ(copies_of(part), 0);
}

TEST(Erasure, OfTheOldPlaceHappensOnAMove) {
  NEED_VISIBLE_HEAP();
  KnownStream stream = KnownStream::open().value();
  const std::uint64_t first = stream.next().value();
  KnownStream twin = KnownStream::open().value();
  EXPECT_EQ(twin.next().value(), first);
  const std::uint64_t second = stream.next().value();
  const auto moved = std::make_unique<KnownStream>(std::move(twin));
  EXPECT_EQ(copies_of(second), 1);  // one buffer, in one place
  EXPECT_FALSE(twin.next());
}

}  // namespace
}  // namespace vernier::random
