#include "vernier/noise/level_sampler.hpp"

#include <cmath>
#include <ctime>
#include <map>

#include <gtest/gtest.h>

#include "statistics.hpp"
#include "support/scripted_bits.hpp"
#include "support/seeded_bits.hpp"

namespace vernier::noise {
namespace {

using Levels = random::Wiped<Level>;

Exponential law_of(double scale) { return *Exponential::of(*LaplaceScale::of(scale)); }

std::vector<double> chances(double scale, const Levels& levels) {
  std::vector<long double> weights;
  long double total = 0;
  for (const Level& level : levels) {
    weights.push_back(static_cast<long double>(level.candidates) *
                      std::exp(-static_cast<long double>(level.distance) / (2 * scale)));
    total += weights.back();
  }
  std::vector<double> all;
  for (const long double weight : weights) all.push_back(static_cast<double>(weight / total));
  return all;
}

// ---- without chance: all strings of two bytes

TEST(LevelSampler, GivesEveryLevelExactlyItsChance) {
  constexpr int byte = 8;
  const Levels levels{{0, 3}, {1, 5}, {4, 1000}, {9, 1}};
  const std::vector<double> expected = chances(1.7, levels);
  std::map<std::size_t, double> decided;
  double open = 0;
  for (std::uint64_t first = 0; first < 256; ++first) {
    for (std::uint64_t second = 0; second < 256; ++second) {
      vernier::testing::ScriptedBits bits({first, second});
      const auto level = exact_level<byte>(law_of(1.7), levels, numeric::LazyUniform(), bits);
      (level ? decided[*level] : open) += std::ldexp(1, -16);
    }
  }
  for (std::size_t i = 0; i < levels.size(); ++i) {
    EXPECT_LE(decided[i], expected[i] * (1 + 1e-12)) << i;
    EXPECT_GE(decided[i] + open, expected[i] * (1 - 1e-12)) << i;
  }
  EXPECT_LE(open, 6 * std::ldexp(1, -16));  // at most two strings at each of the three borders
}

// ---- sums of 100 bits never say anything else than balls

TEST(LevelSampler, DecidesQuicklyOnlyWhatIsCertain) {
  for (const double scale : {0.05, 1.3, 40.0, 1e5}) {
    Levels levels;
    for (std::int64_t i = 0; i < 40; ++i) levels.push_back({i * i * 3, 1 + (i * 7919) % 1000});
    const LevelSampler sampler(law_of(scale), levels);
    const std::vector<double> expected = chances(scale, levels);
    double border = 0;
    for (std::size_t i = 0; i + 1 < levels.size(); ++i) {
      border += expected[i];
      for (int bits = 1; bits <= 64; ++bits) {  // at all distances from each border
        for (const double side : {-1.0, 1.0}) {
          const double point = border + side * std::ldexp(1, -bits);
          if (!(point >= 0 && point < 1)) continue;
          const auto word = static_cast<std::uint64_t>(std::ldexp(point, 64));
          const auto quick = sampler.quick_level(word);
          if (bits <= 51 && expected[i] > 1e-9 && expected[i + 1] > 1e-9) {
            EXPECT_TRUE(quick) << bits;
          }
          constexpr std::uint64_t next = std::uint64_t{1} << 63;
          vernier::testing::ScriptedBits more({next, next});
          const auto exact = exact_level(law_of(scale), levels, numeric::LazyUniform(word, 64), more);
          if (quick) {
            EXPECT_EQ(*quick, *exact);
          }
          if (const auto finer = sampler.quick_level(word, next)) {
            EXPECT_EQ(*finer, *exact);
          }
        }
      }
    }
  }
}

// The words that 64 bits leave open at the border behind a level: those in which it may lie.
std::vector<std::uint64_t> open_words(const LevelSampler& sampler, long double border) {
  const auto near = static_cast<std::uint64_t>(std::ldexp(border, 64));
  std::vector<std::uint64_t> open;
  for (std::uint64_t word = near - 1000; word != near + 1000; ++word) {
    if (!sampler.quick_level(word)) open.push_back(word);
  }
  return open;
}

// A uniform that begins like a border takes more bits until it is decided.
TEST(LevelSampler, TakesMoreBitsWhereTheFirstOnesLeaveItOpen) {
  const Levels levels{{0, 1}, {0 + 1, 1}};
  const Exponential law = law_of(0.5 / std::log(3.0));  // weights 1 and about 1/3: the border is near 3/4
  const LevelSampler sampler(law, levels);
  const long double border = 1 / (1 + std::exp(-1 / (2 * static_cast<long double>(law.scale()))));
  const std::vector<std::uint64_t> open = open_words(sampler, border);
  ASSERT_TRUE(open.size() == 1 || open.size() == 2) << open.size();
  for (const std::uint64_t more : {std::uint64_t{0}, std::uint64_t{1} << 63, ~std::uint64_t{0}}) {
    auto source = vernier::testing::scripted_source({open[0]}, {more, 0, 0});
    const auto drawn = sampler.draw(source);
    ASSERT_TRUE(drawn);
    vernier::testing::ScriptedBits exactly({more, 0, 0});
    EXPECT_EQ(*drawn, *exact_level(law, levels, numeric::LazyUniform(open[0], 64), exactly));
    const auto quick = sampler.quick_level(open[0], more);
    if (quick) {
      EXPECT_EQ(*quick, *drawn);
    }
  }
  auto dry = vernier::testing::scripted_source({open[0]}, {});
  EXPECT_FALSE(sampler.draw(dry));
}

// ---- what is seen from outside: how often, and for how long, a draw is left open

Levels many_levels(std::int64_t count) {
  Levels levels;
  for (std::int64_t i = 0; i < count; ++i) levels.push_back({3 * i + i % 2, 1 + i % 5});
  return levels;
}

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Each border leaves two words of 2^64 open at most, so that a million levels leave one draw in 2^43 open: the chance
// that one of 20,000 is, is 2e-9.
TEST(LevelSampler, LeavesOneDrawInTwoTo63ByLevelsOpen) {
  constexpr std::int64_t count = 1'000'000;
  const LevelSampler sampler(law_of(1e6), many_levels(count));
  vernier::testing::SeededBits bits(21);
  int open = 0;
  for (int i = 0; i < 20'000; ++i) open += sampler.quick_level(*bits.next()) ? 0 : 1;
  EXPECT_EQ(open, 0);
}

// The border that is found by halving, among a million.
TEST(LevelSampler, SettlesAnOpenDrawInMicroseconds) {
  const LevelSampler sampler(law_of(1e6), many_levels(1'000'000));
  std::uint64_t low = std::uint64_t{1} << 62, high = low + (std::uint64_t{1} << 50);
  const std::size_t first = sampler.quick_level(low).value();
  ASSERT_NE(first, sampler.quick_level(high).value());
  std::optional<std::uint64_t> open;
  while (!open && high - low > 1) {
    const std::uint64_t middle = low + (high - low) / 2;
    const auto level = sampler.quick_level(middle);
    if (!level) open = middle;
    (level == first ? low : high) = middle;
  }
  ASSERT_TRUE(open);
  auto source = vernier::testing::scripted_source(std::vector<std::uint64_t>(100, *open),
                                                  std::vector<std::uint64_t>(100, std::uint64_t{1} << 63));
  const double begun = cpu_seconds();
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(sampler.draw(source));
  EXPECT_LT((cpu_seconds() - begun) / 100, 100e-6);  // by balls it took 1.2 s
}

// ---- by simulation, at scales of epsilon 1000 to 0.000001

void expect_law(double scale, const Levels& levels, std::uint64_t seed) {
  constexpr std::uint64_t trials = 100'000;
  const LevelSampler sampler(law_of(scale), levels);
  const std::vector<double> expected = chances(scale, levels);
  std::vector<std::uint64_t> counts(levels.size());
  auto source = vernier::testing::seeded_source(seed);
  for (std::uint64_t i = 0; i < trials; ++i) ++counts[*sampler.draw(source)];
  const double level = vernier::testing::false_alarm / static_cast<double>(levels.size());
  for (std::size_t i = 0; i < levels.size(); ++i) {
    EXPECT_TRUE(vernier::testing::unsurprising_counts(trials, expected[i], level).contains(counts[i]))
        << "scale " << scale << " level " << i << " drawn " << counts[i] << " expected " << expected[i];
  }
}

TEST(LevelSampler, DrawsByTheLawAtAllScales) {
  for (const double scale : {1e-3, 0.2, 1.0, 50.0, 1e6, 1e12}) {
    expect_law(scale, {{0, 1}, {1, 1}, {2, 4}, {10, 1'000'000}, {100, std::int64_t{1} << 40}}, 11);
    expect_law(scale, {{0, 7}}, 12);
    expect_law(scale, {{0, 1}, {std::int64_t{1} << 61, std::int64_t{1} << 40}}, 13);
  }
}

TEST(LevelSampler, IsNotThatOfAScaleTenInAHundredOff) {
  const Levels levels{{0, 1}, {1, 2}, {2, 4}, {3, 8}};
  const LevelSampler sampler(law_of(1.1), levels);
  std::uint64_t nearest = 0;
  auto source = vernier::testing::seeded_source(5);
  for (int i = 0; i < 100'000; ++i) nearest += *sampler.draw(source) == 0 ? 1 : 0;
  const double expected = chances(1.0, levels)[0];
  EXPECT_FALSE(
      vernier::testing::unsurprising_counts(100'000, expected, vernier::testing::false_alarm).contains(nearest));
}

TEST(LevelSampler, GivesNothingWithoutEntropy) {
  const LevelSampler sampler(law_of(1), {{0, 1}, {1, 2}});
  auto source = vernier::testing::scripted_source({});
  EXPECT_FALSE(sampler.draw(source));
}

// ---- whole numbers of one chance

TEST(UniformBelow, RefusesTheWordsThatAreTooMany) {
  constexpr std::uint64_t count = (std::uint64_t{1} << 63) + 1;  // 2^63 - 1 of 2^64 words are refused
  vernier::testing::ScriptedBits bits({0, 2, 4});
  // An even word times the count has that word as its low part, which is below the surplus.
  EXPECT_FALSE(uniform_below(count, bits));
  vernier::testing::ScriptedBits good({1});
  EXPECT_EQ(*uniform_below(count, good), 0U);  // the low part is count itself
}

TEST(UniformBelow, GivesEveryNumberTheSameChance) {
  constexpr std::uint64_t count = 7, trials = 70'000;
  std::vector<std::uint64_t> counts(count);
  auto source = vernier::testing::seeded_source(3);
  for (std::uint64_t i = 0; i < trials; ++i) ++counts[*uniform_below(count, source.draws)];
  for (const std::uint64_t each : counts) {
    EXPECT_TRUE(vernier::testing::unsurprising_counts(trials, 1.0 / count, 1e-9 / count).contains(each)) << each;
  }
}

}  // namespace
}  // namespace vernier::noise
