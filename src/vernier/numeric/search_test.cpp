#include "vernier/numeric/search.hpp"

#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

namespace vernier::numeric {
namespace {

constexpr auto first = std::numeric_limits<std::int64_t>::min();
constexpr auto last = std::numeric_limits<std::int64_t>::max();
constexpr double greatest = std::numeric_limits<double>::max();

struct Counted {
  std::int64_t least;
  mutable int evaluations = 0;
  bool operator()(std::int64_t x) const {
    ++evaluations;
    return x >= least;
  }
};

TEST(Search, FindsTheLeastIntegerFromAnyGuess) {
  std::mt19937_64 bits(9);
  for (int i = 0; i < 2000; ++i) {
    const auto shift = static_cast<int>(bits() % 64);
    const Counted holds{static_cast<std::int64_t>(bits()) >> shift};
    EXPECT_EQ(*least_integer(holds, static_cast<std::int64_t>(bits()) >> shift), holds.least);
    EXPECT_LE(holds.evaluations, 130);
  }
}

TEST(Search, ReachesBothEndsOfTheIntegers) {
  for (const std::int64_t least : {first, first + 1, std::int64_t{0}, last - 1, last}) {
    for (const std::int64_t guess : {first, std::int64_t{-1}, std::int64_t{5}, last}) {
      const Counted holds{least};
      EXPECT_EQ(*least_integer(holds, guess), least);
      EXPECT_LE(holds.evaluations, 130);
    }
  }
}

TEST(Search, NeedsFewStepsFromAGoodGuess) {
  for (const double least : {-1.5, 1.5, -1e-300, 1e300}) {
    int evaluations = 0;
    const auto reached = [&](double x) { return ++evaluations, x >= least; };
    EXPECT_EQ(*least_double(reached, std::nextafter(least, 0)), least);
    EXPECT_LE(evaluations, 4);
  }
  const Counted holds{1'000'000'000'001};
  EXPECT_EQ(*least_integer(holds, 1'000'000'000'000), holds.least);
  EXPECT_LE(holds.evaluations, 4);
}

TEST(Search, StaysWithinItsRange) {
  const auto holds = [](std::int64_t x) {
    EXPECT_TRUE(x >= 0 && x <= 10) << x;
    return x >= 7;
  };
  EXPECT_EQ(*least_integer(holds, 100, {0, 10}), 7);
  EXPECT_EQ(*least_integer(holds, -100, {0, 10}), 7);
  EXPECT_EQ(*least_integer(Counted{-50}, 100, {0, 10}), 0);
  EXPECT_FALSE(least_integer(Counted{11}, 3, {0, 10}));
  const auto above_a_half = [](double x) { return x > 0.5; };
  EXPECT_EQ(*least_double(above_a_half, -3, {0, 1}), std::nextafter(0.5, 1));
  EXPECT_EQ(*least_double(above_a_half, 5, {0.75, 1}), 0.75);
  EXPECT_FALSE(least_double(above_a_half, 5, {-1, 0.25}));
}

// All small ranges, borders and guesses, ends of the 64-bit integers included: no point outside is ever looked at.
TEST(Search, NeverLooksOutsideItsRange) {
  for (const std::int64_t from : {first, std::int64_t{-4}, last - 12}) {
    for (std::int64_t size = 0; size <= 12; ++size) {
      const IntegerRange range{from, from + size};
      for (std::int64_t least = range.first;; ++least) {
        for (std::int64_t guess = range.first;; ++guess) {
          const auto holds = [&](std::int64_t x) {
            EXPECT_TRUE(x >= range.first && x <= range.last) << x;
            return x >= least;
          };
          EXPECT_EQ(*least_integer(holds, guess, range), least);
          if (guess == range.last) break;
        }
        if (least == range.last) break;
      }
    }
  }
}

TEST(Search, SaysWhenNoPointSatisfiesTheCondition) {
  const auto never = [](auto) { return false; };
  EXPECT_EQ(least_integer(never, 0).error().kind, ErrorKind::exhausted);
  EXPECT_EQ(least_double(never, 0).error().kind, ErrorKind::exhausted);
}

TEST(Search, FindsTheLeastDoubleOfAnySizeAndSign) {
  std::mt19937_64 bits(13);
  for (int i = 0; i < 2000; ++i) {
    const double least = std::bit_cast<double>(bits());
    const double guess = std::bit_cast<double>(bits());
    if (!std::isfinite(least)) continue;
    int evaluations = 0;
    const auto holds = [&](double x) { return ++evaluations, x >= least; };
    EXPECT_EQ(*least_double(holds, guess), least);
    EXPECT_LE(evaluations, 130);
  }
  for (const double least : {0.0, -greatest, greatest, std::numeric_limits<double>::denorm_min()}) {
    EXPECT_EQ(*least_double([&](double x) { return x >= least; }, 1.5), least);
  }
}

// A predicate that is unsure of itself near the border: the answer was seen true and the one before it false.
TEST(Search, ReturnsAPointSeenTrueEvenWhenThePredicateIsUnsure) {
  for (int offset = -40; offset < 40; ++offset) {
    const auto holds = [](std::int64_t x) { return x >= 20 || (x >= 0 && x % 3 == 0); };
    const std::int64_t found = *least_integer(holds, offset);
    EXPECT_TRUE(holds(found));
    EXPECT_FALSE(holds(found - 1));
  }
}

}  // namespace
}  // namespace vernier::numeric
