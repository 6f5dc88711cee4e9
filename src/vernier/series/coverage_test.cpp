#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "vernier/noise/integer_sampler.hpp"
#include "vernier/random/source.hpp"
#include "vernier/series/accuracy.hpp"

// Years of a series, simulated with the noise that ships: how often intervals miss, at every step.
namespace vernier::series {
namespace {

struct Misses {
  std::vector<std::int64_t> by_step;
  std::int64_t of_short = 0;  // of reaches that are a tenth shorter
};

// Of an empty table: numbers are errors.
std::vector<Misses> misses_of(const Design& design, int years, Alpha alpha) {
  const auto steps = static_cast<std::size_t>(design.strategy.steps());
  const auto law = law_at(2 * design.sensitivity()).value();
  const Reaches reaches(design, spread_of(law, steps), alpha, 1'000'000);
  const noise::IntegerSampler<noise::DiscreteGaussian> sampler(law);
  random::Source* const source = random::thread_source().value();
  std::vector<Misses> misses(3, {std::vector<std::int64_t>(steps, 0)});
  std::vector<std::int64_t> noisy(steps);
  for (int year = 0; year < years; ++year) {
    if (!sampler.fill(*source, noisy)) return {};
    for (const Kind kind : all_kinds) {
      Misses& of_kind = misses[static_cast<std::size_t>(kind)];
      for (std::size_t t = 0; t < steps; ++t) {
        const double off =
            std::abs(std::ldexp(static_cast<double>(numerator_of(design.of(kind), t, noisy)), -weight_bits));
        if (off > reaches.of(kind, t)) ++of_kind.by_step[t];
        if (off > 0.9 * reaches.of(kind, t)) ++of_kind.of_short;
      }
    }
  }
  return misses;
}

// No step misses more often than a count of that chance does once in 1e9; and on the whole they miss about as often.
void expect_honest(const Family& family, std::size_t steps, int years) {
  const double alpha = 0.05;
  const auto found = misses_of(design_of(family, steps, {1, 1}, 7).value(), years, Alpha::of(alpha).value());
  ASSERT_EQ(found.size(), 3U);
  const double expected = alpha * years, most = expected + 8 * std::sqrt(expected);
  for (const Misses& one : found) {
    for (const std::int64_t count : one.by_step) EXPECT_LE(static_cast<double>(count), most);
    const auto all = static_cast<double>(std::accumulate(one.by_step.begin(), one.by_step.end(), std::int64_t{0}));
    const double mean = all / static_cast<double>(steps);
    EXPECT_GE(mean, 0.85 * expected);
    EXPECT_GT(static_cast<double>(one.of_short) / static_cast<double>(steps), 1.2 * expected);  // 0.0777 against 0.05
  }
}

TEST(SeriesCoverage, IsAsStatedAtEveryStep) {
  expect_honest({50, false}, 60, 2000);
  expect_honest({30, false}, 60, 2000);
  expect_honest({50, true}, 30, 2000);
}

TEST(HeavySeriesCoverage, IsAsStatedOverTenThousandYears) {
  for (const Family& family : {Family{50, false}, Family{30, false}, Family{0, false}, Family{50, true}})
    expect_honest(family, 365, 10'000);
}

}  // namespace
}  // namespace vernier::series
