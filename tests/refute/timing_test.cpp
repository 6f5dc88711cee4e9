#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>
#include <time.h>

#include "refute/textbook.hpp"
#include "statistics.hpp"
#include "support/seeded_bits.hpp"
#include "vernier/noise/integer_sampler.hpp"

// N12: does the time of a batch tell the size or the signs of its noise? Welch's t after the practice of dudect, on 1e6
// draws in batches of a fixed length. abs(t) of independent times exceeds 4.5 once in 150,000 runs.
namespace vernier {
namespace {

constexpr std::size_t batches = 10'000;
constexpr std::size_t batch = 100;
constexpr double leak = 4.5;

double now() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<double>(t.tv_sec) * 1e9 + static_cast<double>(t.tv_nsec);
}

struct Leak {
  double size, largest, signs;
};

// Times `draw_batch` and compares the times of batches by the sum of abs(noise), the largest and the number below 0.
template <class DrawBatch>
Leak leak_of(const DrawBatch& draw_batch) {
  std::vector<double> times(batches), size(batches), largest(batches), signs(batches);
  std::vector<std::int64_t> noise(batch);
  for (std::size_t i = 0; i < batches; ++i) {
    const double start = now();
    draw_batch(noise);
    times[i] = now() - start;
    for (const std::int64_t x : noise) {
      size[i] += std::fabs(static_cast<double>(x));
      largest[i] = std::max(largest[i], std::fabs(static_cast<double>(x)));
      signs[i] += x < 0 ? 1 : 0;
    }
  }
  using testing::welch_t;
  return {std::fabs(welch_t(times, size)), std::fabs(welch_t(times, largest)), std::fabs(welch_t(times, signs))};
}

template <class Law>
void expect_no_leak(const Law& law) {
  const noise::IntegerSampler sampler(law);
  random::Source* const source = random::thread_source().value();
  const Leak found = leak_of([&](std::vector<std::int64_t>& noise) { EXPECT_TRUE(sampler.fill(*source, noise)); });
  EXPECT_LT(found.size, leak) << "scale " << law.scale();
  EXPECT_LT(found.largest, leak) << "scale " << law.scale();
  EXPECT_LT(found.signs, leak) << "scale " << law.scale();
}

TEST(SlowTiming, TellsNothingOfTheNoise) {
  for (const double scale : {20.3, 1000.0, 1e9}) {
    expect_no_leak(noise::Geometric::of(LaplaceScale::of(scale).value()).value());
    expect_no_leak(noise::DiscreteGaussian::of(Sigma::of(scale).value()).value());
  }
}

TEST(SlowTiming, TellsNothingOfTheNoiseInScalarCalls) {
  for (const double scale : {20.3, 1000.0}) {
    const noise::IntegerSampler sampler(noise::DiscreteGaussian::of(Sigma::of(scale).value()).value());
    random::Source* const source = random::thread_source().value();
    const Leak found = leak_of([&](std::vector<std::int64_t>& noise) {
      for (std::int64_t& x : noise) x = sampler.draw(*source).value();
    });
    EXPECT_LT(found.size, leak) << "scale " << scale;
    EXPECT_LT(found.signs, leak) << "scale " << scale;
  }
}

TEST(SlowTiming, MutantWhoseWorkGrowsWithItsValueDies) {
  testing::SeededBits bits(1);
  const Leak found = leak_of([&](std::vector<std::int64_t>& noise) {
    for (std::int64_t& x : noise) x = testing::naive_geometric(bits, 20.3);
  });
  EXPECT_GT(found.size, leak);
}

}  // namespace
}  // namespace vernier
