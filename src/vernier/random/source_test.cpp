#include "vernier/random/source.hpp"

#include <array>
#include <thread>

#include <gtest/gtest.h>

#include "support/scripted_bits.hpp"
#include "support/seeded_bits.hpp"

namespace vernier::random {
namespace {

TEST(Source, GivesDifferentWordsForDrawsAndExtensions) {
  Source* const source = thread_source().value();
  std::array<std::uint64_t, 4096> draws{}, extensions{};
  ASSERT_TRUE(source->draws.fill(draws));
  ASSERT_TRUE(source->extensions.fill(extensions));
  for (std::size_t i = 0; i < draws.size(); ++i) EXPECT_NE(draws[i], extensions[i]);
  EXPECT_NE(source->draws.next().value(), source->extensions.next().value());
}

TEST(Source, IsOnePerThread) {
  Source* const here = thread_source().value();
  Source* there = nullptr;
  std::thread([&] { there = thread_source().value(); }).join();
  EXPECT_EQ(thread_source().value(), here);
  EXPECT_NE(there, here);
}

// An object that outlives the source of its thread, and then asks for noise.
struct Late {
  bool* refused;
  ~Late() { *refused = !thread_source(); }
};

TEST(Source, IsRefusedToAThreadThatIsEnding) {
  bool refused = false;
  std::thread([&] {
    thread_local const Late late{&refused};
    EXPECT_EQ(late.refused, &refused);
    EXPECT_TRUE(thread_source());
  }).join();
  EXPECT_TRUE(refused);
}

TEST(ScriptedSource, HandsOutItsWordsAndThenFails) {
  testing::ScriptedSource source = testing::scripted_source({1, 2, 3}, {4});
  std::array<std::uint64_t, 2> words{};
  ASSERT_TRUE(source.draws.fill(words));
  EXPECT_EQ(words, (std::array<std::uint64_t, 2>{1, 2}));
  EXPECT_EQ(source.draws.fill(words).error().kind, ErrorKind::entropy);
  EXPECT_EQ(words, (std::array<std::uint64_t, 2>{0, 0}));
  EXPECT_EQ(source.draws.next().value(), 3u);
  EXPECT_FALSE(source.draws.next());
  EXPECT_EQ(source.extensions.next().value(), 4u);
}

TEST(SeededSource, RepeatsItselfHoweverItIsAsked) {
  testing::SeededSource source = testing::seeded_source(7);
  testing::SeededSource again = testing::seeded_source(7);
  std::array<std::uint64_t, 5> words{};
  ASSERT_TRUE(source.draws.fill(words));
  for (const std::uint64_t word : words) EXPECT_EQ(again.draws.next().value(), word);
  EXPECT_NE(testing::seeded_source(7).extensions.next().value(), words[0]);
  EXPECT_NE(testing::seeded_source(8).draws.next().value(), words[0]);
}

}  // namespace
}  // namespace vernier::random
