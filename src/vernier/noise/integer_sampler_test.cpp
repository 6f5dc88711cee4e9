#include "vernier/noise/integer_sampler.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "statistics.hpp"
#include "support/scripted_bits.hpp"
#include "support/seeded_bits.hpp"

namespace vernier::noise {
namespace {

using kernels::Isa;
using testing::seeded_source;

Geometric geometric(double scale) { return Geometric::of(LaplaceScale::of(scale).value()).value(); }
DiscreteGaussian discrete_gaussian(double scale) { return DiscreteGaussian::of(Sigma::of(scale).value()).value(); }

template <class Law>
std::vector<std::int64_t> draws_of(const Law& law, std::size_t count, std::uint64_t seed, SamplerOptions options = {}) {
  std::vector<std::int64_t> draws(count);
  auto source = seeded_source(seed);
  EXPECT_TRUE(IntegerSampler(law, options).fill(source, draws));
  return draws;
}

// Both kernels, both readings of second words, both sides of every limit between them.
template <class Check>
void for_typical_laws(const Check& check) {
  for (const double scale : {1e-3, 0.3, 1.0, 20.3, std::nextafter(24.0, 0), 24.0, 1000.0, 1e6, 1e12})
    check(geometric(scale));
  for (const double scale : {1e-3, 0.3, 1.0, 20.3, std::nextafter(110.0, 0), 110.0, 1000.0, 1e6, 1e12}) {
    check(discrete_gaussian(scale));
  }
}

TEST(IntegerSampler, GivesTheSameOutputForTheSameBitsOnEveryInstructionSet) {
  for_typical_laws([](const auto& law) {
    const auto baseline = draws_of(law, 20000, 1, {.isa = Isa::baseline});
    for (const Isa isa : {Isa::avx2, Isa::avx512}) {
      if (!kernels::supported(isa)) continue;
      EXPECT_EQ(draws_of(law, 20000, 1, {.isa = isa}), baseline) << law.scale();
    }
  });
}

// With a slack of 2^-9 one candidate in 300 goes the exact way instead: fast and exact way are one function.
TEST(IntegerSampler, GivesTheSameOutputHoweverManyDecisionsAreMadeExactly) {
  for_typical_laws([](const auto& law) {
    EXPECT_EQ(draws_of(law, 5000, 2, {.slack = 0x1p-9}), draws_of(law, 5000, 2)) << law.scale();
  });
}

TEST(IntegerSampler, DrawsOneByOneWhatItDrawsTogetherFromTables) {
  const IntegerSampler sampler(discrete_gaussian(20.3));
  auto source = seeded_source(3);
  std::vector<std::int64_t> one_by_one(1000);
  for (auto& draw : one_by_one) draw = sampler.draw(source).value();
  EXPECT_EQ(one_by_one, draws_of(discrete_gaussian(20.3), 1000, 3));
}

TEST(IntegerSampler, FillsEveryLength) {
  for (const std::size_t count : {0u, 1u, 2u, 15u, 16u, 1023u, 1024u, 1025u, 2049u, 5000u}) {
    for (const double scale : {10.0, 1000.0}) {
      std::vector<std::int64_t> draws(count, std::numeric_limits<std::int64_t>::max());
      auto source = seeded_source(count);
      ASSERT_TRUE(IntegerSampler(geometric(scale)).fill(source, draws));
      EXPECT_EQ(std::ranges::count(draws, std::numeric_limits<std::int64_t>::max()), 0);
    }
  }
}

// Scales over the whole range, even in logarithm; below `least` a 2 % error is beyond what 1e6 draws can see.
std::vector<double> scales_from(double least, int count) {
  std::vector<double> scales;
  for (int i = 0; i < count; ++i) scales.push_back(least * std::pow(1e12 / least, i / (count - 1.0)));
  return scales;
}

class EveryScale : public ::testing::TestWithParam<int> {
 protected:
  static constexpr std::size_t size = 1'000'000;

  template <class Law>
  void expect_fits_and_rejects(const Law& law, const Law& larger, const Law& smaller) {
    const testing::Cells cells = testing::cells_of(law);
    const auto seed = static_cast<std::uint64_t>(GetParam());
    EXPECT_EQ(testing::objection_to(cells, draws_of(law, size, seed)), "") << "scale " << law.scale();
    EXPECT_NE(testing::objection_to(cells, draws_of(larger, size, seed)), "") << "scale " << law.scale();
    EXPECT_NE(testing::objection_to(cells, draws_of(smaller, size, seed)), "") << "scale " << law.scale();
  }
};

// 100 scales a law, in ten groups that run side by side. Scales 2 % off must not pass; nor does half the scale.
TEST_P(EveryScale, GeometricDrawsFitTheirLawAndNoOther) {
  const auto scales = scales_from(0.2, 100);
  for (int i = GetParam(); i < 100; i += 10) {
    const double scale = scales[static_cast<std::size_t>(i)];
    expect_fits_and_rejects(geometric(scale), geometric(std::min(1e12, scale) * (i < 99 ? 1.02 : 0.98)),
                            geometric(scale * 0.98));
  }
}

TEST_P(EveryScale, DiscreteGaussianDrawsFitTheirLawAndNoOther) {
  const auto scales = scales_from(0.35, 100);
  for (int i = GetParam(); i < 100; i += 10) {
    const double scale = scales[static_cast<std::size_t>(i)];
    expect_fits_and_rejects(discrete_gaussian(scale), discrete_gaussian(scale * (i < 99 ? 1.02 : 0.98)),
                            discrete_gaussian(scale * 0.98));
  }
}

INSTANTIATE_TEST_SUITE_P(Slow, EveryScale, ::testing::Range(0, 10));

TEST(IntegerSampler, MutantOfHalfTheScaleDies) {
  EXPECT_NE(testing::objection_to(testing::cells_of(geometric(10)), draws_of(geometric(5), 10000, 4)), "");
  EXPECT_NE(
      testing::objection_to(testing::cells_of(discrete_gaussian(1000)), draws_of(discrete_gaussian(500), 10000, 4)),
      "");
}

// Tables cut to 13 bits and a slack of 2^-5: escapes and exact decisions in every hundredth draw.
TEST(IntegerSampler, KeepsItsLawWhenTheExactWayIsCommon) {
  const SamplerOptions often{.slack = 0x1p-5, .coarse_bits = 50};
  for (const double scale : {1.0, 10.0}) {
    const auto draws = draws_of(geometric(scale), 100'000, 5, often);
    EXPECT_EQ(testing::objection_to(testing::cells_of(geometric(scale)), draws), "") << scale;
  }
  for (const double scale : {1.0, 20.3, 1000.0}) {
    const auto draws = draws_of(discrete_gaussian(scale), 30'000, 5, often);
    EXPECT_EQ(testing::objection_to(testing::cells_of(discrete_gaussian(scale)), draws), "") << scale;
  }
}

TEST(IntegerSampler, ScalarDrawsFitTheirLaw) {
  for (const double scale : {1.0, 1000.0, 1e9}) {
    const IntegerSampler sampler(discrete_gaussian(scale));
    auto source = seeded_source(6);
    std::vector<std::int64_t> draws(200'000);
    for (auto& draw : draws) draw = sampler.draw(source).value();
    EXPECT_EQ(testing::objection_to(testing::cells_of(discrete_gaussian(scale)), draws), "") << scale;
  }
}

// Zero is the value that a sign bit could count twice, and large scales could hide it.
TEST(IntegerSampler, CountsZeroOnce) {
  for (const double scale : {0.3, 1.0, 23.0, 24.0, 30.0}) {
    const std::size_t size = 2'000'000;
    const auto draws = draws_of(geometric(scale), size, 7);
    const auto zeros = static_cast<std::uint64_t>(std::ranges::count(draws, 0));
    const double p = geometric(scale).mass(0).upper;
    EXPECT_TRUE(testing::unsurprising_counts(size, p, testing::false_alarm).contains(zeros)) << scale;
  }
}

TEST(IntegerSampler, DrawsAreUncorrelatedAtEveryLag) {
  const std::size_t size = 1'000'000;
  for (const double scale : {10.0, 1000.0}) {
    const auto draws = draws_of(discrete_gaussian(scale), size, 8);
    for (std::size_t lag = 1; lag <= 8; ++lag) {
      double sum = 0;
      for (std::size_t i = lag; i < size; ++i)
        sum += static_cast<double>(draws[i]) * static_cast<double>(draws[i - lag]);
      const double z = sum / (scale * scale) / std::sqrt(static_cast<double>(size));
      EXPECT_LT(std::fabs(z), 6.2) << "lag " << lag;  // P[abs(N) > 6.2] < 1e-9
    }
  }
}

// The lowest bit of a magnitude is a bit of its offset. Two candidates of a block that read the same bits of a second
// word would agree in it, at a lag of about half a block.
TEST(IntegerSampler, OffsetsAreUncorrelatedThroughoutABlock) {
  const std::size_t size = 100'000;
  const auto draws = draws_of(discrete_gaussian(1e5), size, 9);
  std::vector<int> parity;
  for (const std::int64_t draw : draws) parity.push_back(draw % 2 == 0 ? 1 : -1);
  for (std::size_t lag = 1; lag <= 1100; ++lag) {
    const int sum =
        std::inner_product(parity.begin() + static_cast<std::ptrdiff_t>(lag), parity.end(), parity.begin(), 0);
    EXPECT_LT(std::abs(sum) / std::sqrt(static_cast<double>(size)), 7.2)
        << "lag " << lag;  // 1100 P[abs(N) > 7.2] < 1e-9
  }
}

TEST(IntegerSampler, LeavesNothingThatCouldPassForNoiseWhenBitsRunOut) {
  for (const double scale : {10.0, 1000.0}) {
    auto source = testing::scripted_source(std::vector<std::uint64_t>(100, 0));
    std::vector<std::int64_t> draws(5000, 0);
    const auto filled = IntegerSampler(geometric(scale)).fill(source, draws);
    ASSERT_FALSE(filled);
    EXPECT_EQ(filled.error().kind, ErrorKind::entropy);
    EXPECT_EQ(std::ranges::count(draws, std::numeric_limits<std::int64_t>::min()), 5000);
    auto empty = testing::scripted_source({});
    EXPECT_EQ(IntegerSampler(geometric(scale)).draw(empty).error().kind, ErrorKind::entropy);
  }
}

// The kernel of the system, for once: real bits give a plausible law too.
TEST(IntegerSampler, DrawsFromTheOperatingSystem) {
  random::Source* const source = random::thread_source().value();
  std::vector<std::int64_t> draws(1'000'000);
  ASSERT_TRUE(IntegerSampler(discrete_gaussian(1000)).fill(*source, draws));
  EXPECT_EQ(testing::objection_to(testing::cells_of(discrete_gaussian(1000)), draws), "");
}

}  // namespace
}  // namespace vernier::noise
