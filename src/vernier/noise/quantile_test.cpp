#include "vernier/noise/quantile.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace vernier::noise {
namespace {

using numeric::Ball;
using numeric::Precision;

Probability probability(double p) { return *Probability::of(p); }

// P[X > x] of the law with mass 1/2 at 0 and 1/4 at -1 and 1.
double step_tail(std::int64_t x) { return x < -1 ? 1 : x < 0 ? 0.75 : x < 1 ? 0.25 : 0; }

TEST(Quantile, IsExactEvenOnATie) {
  const auto tail = [](std::int64_t x, Precision precision) { return Ball::of(step_tail(x), precision); };
  for (const double far_off : {0.0, 1.0, 1e6, 1e300}) {
    const auto guess = [&](double) { return far_off; };
    EXPECT_EQ(*integer_quantile(probability(0.25), guess, tail), -1);  // P[X <= -1] is 0.25
    EXPECT_EQ(*integer_quantile(probability(std::nextafter(0.25, 1)), guess, tail), 0);
    EXPECT_EQ(*integer_quantile(probability(0.75), guess, tail), 0);
    EXPECT_EQ(*integer_quantile(probability(std::nextafter(0.75, 1)), guess, tail), 1);
    EXPECT_EQ(*integer_quantile(probability(0.5), guess, tail), 0);
  }
}

TEST(Quantile, TakesMoreBitsUntilItIsCertain) {
  std::vector<long> asked;
  const auto tail = [&](std::int64_t x, Precision precision) {
    asked.push_back(precision.bits);
    const Ball value = Ball::of(step_tail(x), precision) - times_power_of_two(Ball::of(1, precision), -700);
    return widened(value, times_power_of_two(Ball::of(1, precision), -precision.bits));
  };
  EXPECT_EQ(*integer_quantile(
                probability(0.75), [](double) { return 0.0; }, tail),
            0);
  EXPECT_EQ(asked.front(), 128);
  EXPECT_EQ(*std::max_element(asked.begin(), asked.end()), 1024);
}

TEST(Quantile, NeverGuessesWhereNoPrecisionDecides) {
  const auto tail = [](std::int64_t x, Precision precision) {
    return widened(Ball::of(step_tail(x), precision), times_power_of_two(Ball::of(1, precision), -precision.bits));
  };
  const auto result = integer_quantile(
      probability(0.25), [](double) { return 0.0; }, tail);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::exhausted);
  EXPECT_EQ(result.error().sentence(),
            "the quantile at 0.25 is not decided by 4096 bits; move the probability a little");
  EXPECT_EQ(*integer_quantile(
                probability(0.3), [](double) { return 0.0; }, tail),
            0);
}

// P[X > x] = (1 - x) / 2 on [-1, 1].
TEST(Quantile, OverTheRealsIsTheLeastDoubleFromAnyGuess) {
  const auto tail = [](Real x, Precision precision) {
    const double inside = std::fmax(-1, std::fmin(1, x.value()));
    return times_power_of_two(Ball::of(1, precision) - Ball::of(inside, precision), -1);
  };
  for (const double far_off : {0.0, 0.3, 1e300}) {
    const auto guess = [&](double) { return far_off; };
    EXPECT_EQ(real_quantile(probability(0.75), guess, tail)->value(), 0.5);
    EXPECT_EQ(real_quantile(probability(0.125), guess, tail)->value(), -0.75);
  }
}

TEST(Quantile, OverTheRealsErrsUpwardWhereTheTailIsNotCertain) {
  const auto tail = [](Real x, Precision precision) {
    const Ball value = times_power_of_two(Ball::of(1, precision) - Ball::of(x.value(), precision), -1);
    return widened(value, Ball::of(0.01, precision));
  };
  const double found = real_quantile(
                           probability(0.75), [](double) { return 0.5; }, tail)
                           ->value();
  EXPECT_NEAR(found, 0.52, 1e-8);
  EXPECT_GE(found, 0.52);
}

TEST(Quantile, ExistsOnlyStrictlyBetweenZeroAndOne) {
  const auto tail = [](std::int64_t x, Precision precision) { return Ball::of(step_tail(x), precision); };
  for (const double p : {0.0, 1.0}) {
    const auto result = integer_quantile(
        probability(p), [](double) { return 0.0; }, tail);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().kind, ErrorKind::invalid);
  }
}

}  // namespace
}  // namespace vernier::noise
