#include "vernier/numeric/ball.hpp"

#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>
#include <mpfr.h>

namespace vernier::numeric {
namespace {

constexpr Precision work{128};
constexpr double least = std::numeric_limits<double>::denorm_min();
constexpr double greatest = std::numeric_limits<double>::max();
constexpr double infinity = std::numeric_limits<double>::infinity();

bool contains(const Ball& wide, const Ball& narrow) { return arb_contains(wide.raw(), narrow.raw()) != 0; }

bool contains(const Ball& ball, const mpfr_t value) {
  arf_t centre;
  arf_init(centre);
  arf_set_mpfr(centre, value);
  const bool inside = arb_contains_arf(ball.raw(), centre) != 0;
  arf_clear(centre);
  return inside;
}

TEST(Ball, HoldsDoublesAndIntegersExactly) {
  EXPECT_EQ(Ball::of(0.1, {10}).bounds(), (Bounds{0.1, 0.1}));
  EXPECT_EQ(Ball::of(least, {10}).bounds(), (Bounds{least, least}));
  const auto big = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(less(Ball::of(big, {10}) - Ball::of(1, work), Ball::of(big, {10})), true);
}

TEST(Ball, GivesNeighboursForANumberBetweenDoubles) {
  const Bounds third = (Ball::of(1, work) / Ball::of(3, work)).bounds();
  EXPECT_EQ(third.lower, 1.0 / 3);
  EXPECT_EQ(third.upper, std::nextafter(1.0 / 3, 1));
}

TEST(Ball, ReportsATinyPositiveNumberAsTheLeastDoubleAndNeverAsZero) {
  for (const int exponent : {-745 * 2, -100000}) {
    const Ball tiny = exp(Ball::of(exponent, work));
    EXPECT_EQ(tiny.bounds(), (Bounds{0, least}));
    EXPECT_EQ((-tiny).bounds(), (Bounds{-least, 0}));
  }
}

TEST(Ball, RoundsSubnormalNumbersOutward) {
  const Ball between = Ball::of(least, work) * (Ball::of(5, work) / Ball::of(2, work));
  EXPECT_EQ(between.bounds(), (Bounds{2 * least, 3 * least}));
}

TEST(Ball, ReportsOverflowAsTheLargestDoubleBelowAndInfinityAbove) {
  EXPECT_EQ(exp(Ball::of(710, work)).bounds(), (Bounds{greatest, infinity}));
  EXPECT_EQ((-exp(Ball::of(1e18, work))).bounds(), (Bounds{-infinity, -greatest}));
}

TEST(Ball, IsAllRealsAfterDivisionByABallAroundZero) {
  const Ball around_zero = widened(Ball::of(0, work), Ball::of(1, work));
  EXPECT_EQ((Ball::of(1, work) / around_zero).bounds(), (Bounds{-infinity, infinity}));
  EXPECT_EQ(log(around_zero).bounds(), (Bounds{-infinity, infinity}));
}

TEST(Ball, ComparesOnlyWhatIsCertain) {
  const Ball one = Ball::of(1, work);
  const Ball near_one = widened(one, Ball::of(-0.5, work));
  EXPECT_EQ(less(one, Ball::of(2, work)), true);
  EXPECT_EQ(less(Ball::of(2, work), one), false);
  EXPECT_EQ(less(one, one), false);
  EXPECT_EQ(less(one, near_one), std::nullopt);
  EXPECT_EQ(less(near_one, one), std::nullopt);
  const Ball two = Ball::of(2, work);
  const Ball wide = widened(two, two);  // from 0 to 4: its centre is above 1 and below 3
  EXPECT_EQ(less(one, wide), std::nullopt);
  EXPECT_EQ(less(wide, one), std::nullopt);
  EXPECT_EQ(less(wide, Ball::of(3, work)), std::nullopt);
  EXPECT_EQ(less(wide, Ball::of(5, work)), true);
  const Ball anything = one / Ball::of(0, work);
  EXPECT_EQ(less(anything, one), std::nullopt);
  EXPECT_EQ(less(one, anything), std::nullopt);
  EXPECT_LE(near_one.bounds().lower, 0.5);
  EXPECT_GE(near_one.bounds().lower, 0.5 - 1e-8);  // a radius has 30 bits
}

// Every function at 64 bits contains MPFR's value, which carries 400 bits and lies within 2^-390 of the truth.
TEST(Ball, ContainsWhatMpfrFinds) {
  using Pair = std::pair<Ball (*)(const Ball&), int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t)>;
  const Pair functions[] = {{exp, mpfr_exp},     {expm1, mpfr_expm1}, {log, mpfr_log},
                            {log1p, mpfr_log1p}, {sqrt, mpfr_sqrt},   {erfc, mpfr_erfc}};
  std::mt19937_64 bits(1);
  std::uniform_real_distribution<double> exponent(-40, 4);
  mpfr_t value;
  mpfr_init2(value, 400);
  for (int i = 0; i < 600; ++i) {
    const double x = std::exp2(exponent(bits));
    const auto& [ball_of, mpfr_of] = functions[i % 6];
    mpfr_set_d(value, x, MPFR_RNDN);
    mpfr_of(value, value, MPFR_RNDN);
    const Ball found = ball_of(Ball::of(x, {64}));
    EXPECT_TRUE(contains(found, value)) << "function " << i % 6 << " at " << x;
    EXPECT_LE(found.bounds().upper, std::nextafter(std::nextafter(found.bounds().lower, infinity), infinity));
  }
  mpfr_clear(value);
}

TEST(Ball, StaysAroundTheTruthWhenPrecisionIsTakenAway) {
  const Ball fine = Ball::pi({300});
  EXPECT_TRUE(contains(rounded_to(fine, {20}), fine));
  EXPECT_EQ(rounded_to(fine, {20}).precision().bits, 20);
  EXPECT_TRUE(contains(Ball::pi({64}), fine));
}

TEST(Ball, KnowsPowersAndZeta) {
  EXPECT_EQ(power(Ball::of(3, work), 5).bounds(), (Bounds{243, 243}));
  EXPECT_EQ(times_power_of_two(Ball::of(3, work), -1).bounds(), (Bounds{1.5, 1.5}));
  const Ball basel = power(Ball::pi(work), 2) / Ball::of(6, work);
  EXPECT_LT((Ball::zeta(2, work) - basel).bounds().upper, 1e-36);
  EXPECT_GT((Ball::zeta(2, work) - basel).bounds().lower, -1e-36);
}

TEST(Ball, FloorsToAnIntegerThatIsCertainlyNotAbove) {
  EXPECT_EQ(Ball::of(-2.5, work).floor_down(), -3);
  EXPECT_EQ(Ball::of(7, work).floor_down(), 7);
  EXPECT_EQ(widened(Ball::of(7, work), Ball::of(least, work)).floor_down(), 6);
}

TEST(Ball, CopiesAndMovesKeepTheValue) {
  const Ball seven = Ball::of(7, work);
  Ball copy(seven);
  const Ball moved(std::move(copy));
  EXPECT_EQ(moved.bounds(), (Bounds{7, 7}));
  EXPECT_EQ(seven.bounds(), (Bounds{7, 7}));
}

}  // namespace
}  // namespace vernier::numeric
