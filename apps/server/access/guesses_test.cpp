#include "server/access/guesses.hpp"

#include <gtest/gtest.h>

namespace vernier::server {
namespace {

TEST(Guesses, OfOneAddressAreTooManyAfterTwentyUntilAMinuteIsOver) {
  Guesses guesses;
  for (int i = 0; i < 20; ++i) EXPECT_FALSE(guesses.add("a", 1000 + i).is_too_many);
  EXPECT_TRUE(guesses.add("a", 1020).is_too_many);
  EXPECT_FALSE(guesses.add("b", 1020).is_too_many);
  EXPECT_TRUE(guesses.add("a", 1059).is_too_many);
  EXPECT_FALSE(guesses.add("a", 1060).is_too_many);
}

TEST(Guesses, FillNoLogHoweverManyAddressesTheyComeFrom) {
  Guesses guesses;
  int noted = 0;
  for (int i = 0; i < 5000; ++i) noted += guesses.add("address " + std::to_string(i), 1000).is_noted ? 1 : 0;
  EXPECT_EQ(noted, most_noted);
  const Guesses::Count next = guesses.add("another", 1060);
  EXPECT_TRUE(next.is_noted);
  EXPECT_EQ(next.not_noted, 5000 - most_noted);
  EXPECT_EQ(guesses.add("another", 1060).not_noted, 0);
}

TEST(Guesses, TakeNoMoreMemoryThanSoManyAddresses) {
  Guesses guesses;
  for (std::size_t i = 0; i < most_guessing; ++i) guesses.add(std::to_string(i), 1000);
  EXPECT_TRUE(guesses.add("one more", 1059).is_too_many);
  EXPECT_FALSE(guesses.add("one more", 1060).is_too_many);
}

}  // namespace
}  // namespace vernier::server
