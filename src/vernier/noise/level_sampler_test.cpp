#include "vernier/noise/level_sampler.hpp"

#include <cmath>
#include <functional>
#include <map>

#include <gtest/gtest.h>

#include "statistics.hpp"
#include "support/scripted_bits.hpp"
#include "support/seeded_bits.hpp"

namespace vernier::noise {
namespace {

using Levels = std::vector<Level>;

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

// ---- doubles never say anything else than balls

TEST(LevelSampler, DecidesByDoublesOnlyWhatIsCertain) {
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
          if (bits <= 38 && expected[i] > 1e-9 && expected[i + 1] > 1e-9) {
            EXPECT_TRUE(quick) << bits;
          }
          vernier::testing::ScriptedBits more({std::uint64_t{1} << 63});
          if (quick) {
            EXPECT_EQ(*quick, *exact_level(law_of(scale), levels, numeric::LazyUniform(word, 64), more));
          }
        }
      }
    }
  }
}

// A uniform that begins like a border goes the exact way, and takes more bits until it is decided.
TEST(LevelSampler, TakesMoreBitsWhereTheFirstOnesLeaveItOpen) {
  const Levels levels{{0, 1}, {0 + 1, 1}};
  const Exponential law = law_of(0.5 / std::log(3.0));  // weights 1 and about 1/3: the border is near 3/4
  const LevelSampler sampler(law, levels);
  const auto at = static_cast<std::uint64_t>(std::ldexp(chances(law.scale(), levels)[0], 64)) & ~std::uint64_t{0x7FF};
  EXPECT_FALSE(sampler.quick_level(at));
  auto source = vernier::testing::scripted_source({at}, std::vector<std::uint64_t>(8, std::uint64_t{1} << 63));
  EXPECT_TRUE(sampler.draw(source));
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
