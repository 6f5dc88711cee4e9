#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "vernier/interval/population/binomial.hpp"
#include "vernier/numeric/ball.hpp"
#include "vernier/numeric/log_factorial.hpp"

namespace vernier::interval {
namespace {

using numeric::Ball;
using numeric::Precision;

constexpr Precision fine{200};

// P[successes] in balls.
Ball exact(std::int64_t trials, std::int64_t successes, double chance) {
  const auto factorial = [](std::int64_t n) { return numeric::log_factorial(n, fine); };
  return exp(factorial(trials) - factorial(successes) - factorial(trials - successes) +
             Ball::of(successes, fine) * log(Ball::of(chance, fine)) +
             Ball::of(trials - successes, fine) * log1p(-Ball::of(chance, fine)));
}

TEST(BinomialMasses, AreNeverBelowTheExactOnesAndHardlyAbove) {
  for (const std::int64_t trials : {1, 2, 7, 100, 5000, 3'000'000}) {
    for (const double chance : {1e-9, 0.01, 0.3, 0.5, 0.999}) {
      const BinomialMasses found = binomial_masses(trials, *Chance::of(chance), 1e-12);
      const auto last = static_cast<std::int64_t>(found.masses.size()) - 1;
      for (const std::int64_t i : {std::int64_t{0}, last / 3, last / 2, last}) {
        const double mass = found.masses[static_cast<std::size_t>(i)];
        const Bounds is = exact(trials, found.first + i, chance).bounds();
        EXPECT_GE(mass, is.upper) << trials << " " << chance << " " << found.first + i;
        EXPECT_LE(mass, is.lower * (1 + 1e-8)) << trials << " " << chance << " " << found.first + i;
      }
      EXPECT_GE(std::accumulate(found.masses.begin(), found.masses.end(), found.beyond), 1);
      EXPECT_LE(found.beyond, 3e-12);
      EXPECT_GE(found.first, 0);
      EXPECT_LE(found.last(), trials);
    }
  }
}

TEST(BinomialMasses, CountWhatLiesElsewhere) {
  const BinomialMasses most = binomial_masses(1000, *Chance::of(0.2), 0.01);
  double elsewhere = 0;
  for (std::int64_t k = 0; k <= 1000; ++k) {
    if (k < most.first || k > most.last()) elsewhere += exact(1000, k, 0.2).nearest();
  }
  EXPECT_GE(most.beyond, elsewhere);
  EXPECT_GT(elsewhere, 0.001);
  EXPECT_LE(most.beyond, 0.021);
}

TEST(BinomialMasses, OfNothingOrOfAllAreOne) {
  EXPECT_EQ(binomial_masses(0, *Chance::of(0.3), 1e-9).first, 0);
  EXPECT_EQ(binomial_masses(17, *Chance::of(1), 1e-9).first, 17);
  EXPECT_EQ(binomial_masses(17, *Chance::of(1), 1e-9).masses, std::vector<double>{1});
}

}  // namespace
}  // namespace vernier::interval
