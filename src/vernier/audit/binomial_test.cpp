#include <cmath>

#include <gtest/gtest.h>

#include "support/parameters.hpp"
#include "vernier/audit/guesses.hpp"

namespace vernier::audit {
namespace {

double exact_mass(std::int64_t n, std::int64_t k, double p) {
  if (p <= 0 || p >= 1) return (p <= 0 ? k == 0 : k == n) ? 1 : 0;
  const auto size = static_cast<double>(n), hits = static_cast<double>(k);
  return std::exp(std::lgamma(size + 1) - std::lgamma(hits + 1) - std::lgamma(size - hits + 1) + hits * std::log(p) +
                  (size - hits) * std::log1p(-p));
}

double exact_at_least(std::int64_t n, std::int64_t k, double p) {
  double sum = 0;
  for (std::int64_t i = n; i >= std::max<std::int64_t>(k, 0); --i) sum += exact_mass(n, i, p);
  return sum;
}

TEST(AuditBinomial, BoundsTheTailFromAboveAndClosely) {
  test::Parameters any(41);
  int close = 0;
  for (int i = 0; i < 300; ++i) {
    const auto n = static_cast<std::int64_t>(any.log_uniform(1, 3000));
    const auto k = static_cast<std::int64_t>(any.log_uniform(1, static_cast<double>(n) + 1));
    const double p = any.log_uniform(1e-4, 0.99);
    const double exact = exact_at_least(n, k, p), bound = chance_of_at_least({k, n}, p);
    EXPECT_GE(bound, exact * (1 - 1e-9)) << n << " " << k << " " << p;
    EXPECT_GE(chance_of_at_most({n - k, n}, 1 - p), exact * (1 - 1e-9)) << n << " " << k << " " << p;
    if (exact < 1e-6 && exact > 1e-300) {
      ++close;
      EXPECT_LE(bound, 1.2 * exact) << n << " " << k << " " << p;
    }
  }
  EXPECT_GT(close, 20);
}

TEST(AuditBinomial, AnswersAtItsEnds) {
  EXPECT_EQ(chance_of_at_least({0, 5}, 0.3), 1);
  EXPECT_EQ(chance_of_at_least({5, 5}, 0), 0);
  EXPECT_EQ(chance_of_at_least({5, 5}, 1), 1);
  EXPECT_NEAR(chance_of_at_least({5, 5}, 0.5), 1.0 / 32, 1e-15);
  EXPECT_EQ(least_chance({0, 10}, 0.01), 0);
  EXPECT_EQ(greatest_chance({10, 10}, 0.01), 1);
  EXPECT_NEAR(least_chance({10, 10}, 0.01), std::pow(0.01, 0.1), 1e-9);
}

// Over all hits that there may be: the chance that a bound is wrong is its level at most, by summing and not by luck.
TEST(AuditBinomial, BoundsAreWrongAsSeldomAsTheySay) {
  constexpr double level = 0.02;
  constexpr std::int64_t n = 60;
  std::vector<double> least, greatest;
  for (std::int64_t k = 0; k <= n; ++k) {
    least.push_back(least_chance({k, n}, level));
    greatest.push_back(greatest_chance({k, n}, level));
  }
  for (double p = 0.005; p < 1; p += 0.0173) {
    double above = 0, below = 0;
    for (std::int64_t k = 0; k <= n; ++k) {
      above += least[static_cast<std::size_t>(k)] > p ? exact_mass(n, k, p) : 0;
      below += greatest[static_cast<std::size_t>(k)] < p ? exact_mass(n, k, p) : 0;
    }
    EXPECT_LE(above, level) << p;
    EXPECT_LE(below, level) << p;
  }
}

// What is said to be surely found is found, by summing over all hits at which it would be.
TEST(AuditBinomial, SaysOnlyWhatItWouldSurelyFind) {
  constexpr double level = 1e-4, missed = 1e-2, claim = 0.3;
  constexpr std::int64_t n = 400;
  int found = 0;
  for (double truth = 0.02; truth < 0.9; truth += 0.04) {
    double seen = 0;
    for (std::int64_t k = 0; k <= n; ++k) {
      const double chance = truth > claim ? chance_of_at_least({k, n}, claim) : chance_of_at_most({k, n}, claim);
      seen += chance <= level ? exact_mass(n, k, truth) : 0;
    }
    if (!is_surely_found(n, claim, truth, level, missed)) continue;
    ++found;
    EXPECT_GE(seen, 1 - missed) << truth;
  }
  EXPECT_GT(found, 10);
  EXPECT_FALSE(is_surely_found(n, claim, 0.31, level, missed));
}

}  // namespace
}  // namespace vernier::audit
