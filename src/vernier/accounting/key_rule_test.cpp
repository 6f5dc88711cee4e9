#include "vernier/accounting/key_rule.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "vernier/noise/discrete_gaussian.hpp"
#include "vernier/noise/geometric.hpp"

namespace vernier::accounting {
namespace {

using numeric::Ball;
using numeric::Precision;

constexpr Precision fine{200};
constexpr std::int64_t reach = 1500;

noise::Geometric geometric(double scale) { return *noise::Geometric::of(*LaplaceScale::of(scale)); }
noise::DiscreteGaussian gaussian(double scale) { return *noise::DiscreteGaussian::of(*Sigma::of(scale)); }

// The masses of all noise that is kept, one by one, for each threshold; beyond the reach there is less than 1e-60.
template <class Law>
void expect_sum_of_kept(const Law& law) {
  std::vector<Ball> masses;
  for (std::int64_t x = -reach; x <= reach; ++x) masses.push_back(law.weight(x, fine) / law.total(fine));
  for (std::int64_t threshold = 1; threshold <= 200; ++threshold) {
    const KeyRule rule(threshold);
    Ball sum = Ball::of(0, fine);
    for (std::int64_t x = -reach; x <= reach; ++x) {
      if (rule.keeps(1 + x)) sum = sum + masses[static_cast<std::size_t>(x + reach)];
    }
    const Bounds escape = rule.escape(law);
    EXPECT_LE(escape.lower, sum.bounds().upper + 1e-60) << threshold;
    EXPECT_GE(escape.upper, sum.bounds().lower) << threshold;
    EXPECT_LE(escape.upper - escape.lower, 1e-14 * escape.upper + 1e-300) << threshold;
  }
}

TEST(KeyRule, EscapesWithTheSumOfWhatItKeeps) {
  expect_sum_of_kept(geometric(5));
  expect_sum_of_kept(geometric(0.7));
  expect_sum_of_kept(gaussian(30));
}

TEST(KeyRule, KeepsFromTheThresholdOn) {
  const KeyRule rule(10);
  EXPECT_FALSE(rule.keeps(9));
  EXPECT_TRUE(rule.keeps(10));
  const Bounds both_ends = geometric(2).outside(8);
  EXPECT_EQ(rule.escape(geometric(2)), (Bounds{both_ends.lower / 2, both_ends.upper / 2}));
}

// On both sides of the threshold.
TEST(KeyRule, HasTheChanceOfTheTail) {
  const KeyRule rule(50);
  for (std::int64_t units = 1; units <= 100; ++units) {
    const Bounds chance = rule.chance(gaussian(9), units), tail = gaussian(9).tail(49 - units);
    EXPECT_LE(chance.lower, tail.lower) << units;
    EXPECT_GE(chance.upper, tail.upper) << units;
    EXPECT_LE(chance.upper - chance.lower, 1e-14 * tail.upper) << units;
  }
}

// Far out the chance is below every double, but never said to be 0.
TEST(KeyRule, NeverCallsAnEscapeImpossible) {
  EXPECT_EQ(KeyRule(100000).escape(gaussian(3)), (Bounds{0, 0x1p-1074}));
  EXPECT_EQ(KeyRule(100000).escape(geometric(3)), (Bounds{0, 0x1p-1074}));
}

TEST(KeyRule, TouchesTwiceAsManyKeysWhereUnitsAreReplaced) {
  EXPECT_EQ(touched_keys(3, privacy::Neighbours::add_remove), 3);
  EXPECT_EQ(touched_keys(3, privacy::Neighbours::replace), 6);
}

// What is published about one key that so many units have: each kept value, or nothing (the last place).
std::vector<double> publication(const noise::Geometric& law, const KeyRule& rule, std::int64_t units) {
  constexpr std::int64_t most = 400;
  std::vector<double> masses(most + 1, 0.0);
  if (units == 0) {
    masses.back() = 1;  // a key that nobody has is not found
    return masses;
  }
  for (std::int64_t x = -most; x < most - units; ++x) {
    const double mass = law.mass(x).upper;
    masses[static_cast<std::size_t>(rule.keeps(units + x) ? units + x : most)] += mass;
  }
  return masses;
}

double curve(const std::vector<double>& p, const std::vector<double>& q, double x) {
  double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i) sum += std::max(0.0, p[i] - x * q[i]);
  return sum;
}

// The pair that is composed instead: the noise's own at sensitivity 1 (two losses), and an escape of chance p.
double composed(double scale, double escape, double x) {
  const double loss = 1 / scale, right = 1 / (1 + std::exp(-loss));
  const double noise = std::max(0.0, right - x * (1 - right)) + std::max(0.0, (1 - right) - x * right);
  return escape + (1 - escape) * noise;
}

TEST(KeyRule, GivesAwayNoMoreThanTheNoiseAndAnEscape) {
  for (const double scale : {0.5, 3.0}) {
    for (const std::int64_t threshold : {1, 2, 5, 12}) {
      const KeyRule rule(threshold);
      const double escape = rule.escape(geometric(scale)).upper;
      for (const std::int64_t units : {1, 2, 3, 9}) {
        const auto with = publication(geometric(scale), rule, units);
        const auto without = publication(geometric(scale), rule, units - 1);
        for (double log_x = -3; log_x < 3; log_x += 0.037) {
          const double x = std::exp(log_x), bound = composed(scale, escape, x) + 1e-13;
          EXPECT_LE(curve(with, without, x), bound) << scale << " " << threshold << " " << units << " " << x;
          EXPECT_LE(curve(without, with, x), bound) << scale << " " << threshold << " " << units << " " << x;
        }
      }
    }
  }
}

// Without the escape the bound would not hold: the key of one unit is what it pays for.
TEST(KeyRule, NeedsTheEscape) {
  const KeyRule rule(5);
  const auto with = publication(geometric(3), rule, 1), without = publication(geometric(3), rule, 0);
  EXPECT_GT(curve(with, without, std::exp(0.5)), composed(3, 0, std::exp(0.5)) + 0.05);
}

}  // namespace
}  // namespace vernier::accounting
