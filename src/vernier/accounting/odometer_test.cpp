#include <cmath>
#include <ctime>
#include <random>

#include <gtest/gtest.h>

#include "support/parameters.hpp"
#include "vernier/accounting/adaptive.hpp"
#include "vernier/accounting/zcdp.hpp"
#include "vernier/numeric/ball.hpp"

namespace vernier::accounting {
namespace {

using numeric::Ball;
using numeric::Precision;
using numeric::Rational;
using privacy::Delta;
using privacy::Rho;

constexpr Precision fine{200};
Ball ball(double x) { return Ball::of(x, fine); }
Rational decimal(std::string_view text) { return *Rational::of_decimal(text); }

// The least over the same orders, in balls: a rho + ln(16 / delta) / (a - 1).
Ball exact_epsilon(double delta, const Rational& rho) {
  Ball least = ball(1e300);
  double total = 1e-6;
  for (int i = 0; i < 16; ++i, total *= 4) {
    const Ball share = log(ball(16) / ball(delta));
    const Ball excess = sqrt(share / ball(total));
    const Ball one = (ball(1) + excess) * rho.to_ball(fine) + share / excess;
    if (less(one, least) == true) least = one;
  }
  return least;
}

TEST(ZcdpOdometer, IsTheLeastOfItsLinesRoundedUp) {
  test::Parameters any(551);
  for (int i = 0; i < 300; ++i) {
    const double delta = any.log_uniform(1e-30, 0.5);
    ZcdpOdometer odometer = *ZcdpOdometer::of(*Delta::of(delta));
    for (int j = 0; j < 5; ++j) {
      ASSERT_TRUE(odometer.spend(*Rational::of(any.log_uniform(1e-9, 100))));
      const double exact = exact_epsilon(delta, odometer.spent()).nearest();
      EXPECT_GE(odometer.epsilon(), exact * (1 - 1e-15));
      EXPECT_LE(odometer.epsilon(), exact * (1 + 1e-14));
    }
  }
}

// What time-uniformity costs: at most 17 % of the epsilon of the classical conversion.
TEST(ZcdpOdometer, StaysCloseToOneConversionOverNineDecades) {
  for (double rho = 2e-6; rho < 1000; rho *= 1.7) {
    ZcdpOdometer odometer = *ZcdpOdometer::of(*Delta::of(1e-6));
    ASSERT_TRUE(odometer.spend(*Rational::of(rho)));
    EXPECT_GT(odometer.epsilon(), *zcdp_epsilon(rho, 1e-6)) << rho;
    EXPECT_LT(odometer.epsilon(), 1.17 * classical_zcdp_epsilon(rho, 1e-6)) << rho;
  }
}

TEST(ZcdpOdometer, IsCloserWhereTheTotalWasExpected) {
  ZcdpOdometer usual = *ZcdpOdometer::of(*Delta::of(1e-6));
  ZcdpOdometer expecting = *ZcdpOdometer::of(*Delta::of(1e-6), *Rho::of(0.1));
  ASSERT_TRUE(usual.spend(decimal("0.1")));
  ASSERT_TRUE(expecting.spend(decimal("0.1")));
  EXPECT_LT(expecting.epsilon(), usual.epsilon());
  EXPECT_LT(expecting.epsilon(), 1.03 * classical_zcdp_epsilon(0.1, 1e-6));
  EXPECT_GT(expecting.epsilon(), classical_zcdp_epsilon(0.1, 5e-7) * (1 - 1e-12));
}

TEST(ZcdpOdometer, BeginsAtZeroAndRefusesToGoBack) {
  ZcdpOdometer odometer = *ZcdpOdometer::of(*Delta::of(1e-6));
  EXPECT_EQ(odometer.epsilon(), 0);
  EXPECT_FALSE(odometer.spend(decimal("-0.1")));
  EXPECT_EQ(odometer.epsilon(), 0);
  EXPECT_FALSE(ZcdpOdometer::of(Delta::zero()));
}

// An analyst who stops as soon as the loss passes what the odometer says, or spends more after an unlucky answer: the
// chance that it ever passes must be at most delta. Gaussian releases of rho: the loss is normal(rho, 2 rho).
double chance_of_passing(double delta, int runs, double pretended) {
  std::mt19937_64 bits(552);
  std::normal_distribution<double> normal;
  const ZcdpOdometer fresh = *ZcdpOdometer::of(*Delta::of(delta));
  int passed = 0;
  for (int run = 0; run < runs; ++run) {
    ZcdpOdometer odometer = fresh;
    double loss = 0;
    for (int t = 0; t < 60; ++t) {
      const double rho = loss > odometer.epsilon() / 2 ? 0.02 : 0.001;
      static_cast<void>(odometer.spend(*Rational::of(rho)));
      loss += rho + std::sqrt(2 * rho) * normal(bits);
      if (loss > odometer.epsilon() * pretended) {
        ++passed;
        break;
      }
    }
  }
  return static_cast<double>(passed) / runs;
}

// 2,000 runs at delta 0.3: a chance of 0.3 would show more than 0.37 once in 1e9 times. Half of epsilon would not do.
TEST(ZcdpOdometer, HoldsAtEveryMomentForAnAdaptiveAnalyst) {
  EXPECT_LE(chance_of_passing(0.3, 2000, 1), 0.37);
  EXPECT_GT(chance_of_passing(0.3, 2000, 0.25), 0.37);
}

TEST(PureOdometer, IsTheExactSum) {
  PureOdometer odometer;
  EXPECT_EQ(odometer.epsilon(), 0);
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(odometer.spend(decimal("0.1")));
  EXPECT_EQ(odometer.epsilon(), 1);
  EXPECT_FALSE(odometer.spend(decimal("-1")));
  EXPECT_EQ(odometer.spent(), Rational::of(1));
}

// Seconds for each thousand of ten thousand spends, each read at once.
std::vector<double> seconds_of_thousands() {
  test::Parameters any(553);
  ZcdpOdometer odometer = *ZcdpOdometer::of(*Delta::of(1e-6));
  std::vector<double> seconds;
  double sum = 0;
  for (int thousand = 0; thousand < 10; ++thousand) {
    const std::clock_t begin = std::clock();
    for (int i = 0; i < 1000; ++i) {
      static_cast<void>(odometer.spend(*Rational::of(any.log_uniform(1e-6, 1e-3))));
      sum += odometer.epsilon();
    }
    seconds.push_back(static_cast<double>(std::clock() - begin));
  }
  EXPECT_GT(sum, 0);
  return seconds;
}

TEST(SlowZcdpOdometer, CostsTheSameAtTheEndAsAtTheBeginning) {
  double first = 1e9, last = 1e9;
  for (int repeat = 0; repeat < 5; ++repeat) {
    const std::vector<double> seconds = seconds_of_thousands();
    first = std::min(first, seconds.front());
    last = std::min(last, seconds.back());
  }
  EXPECT_LE(last, 2 * first);
}

}  // namespace
}  // namespace vernier::accounting
