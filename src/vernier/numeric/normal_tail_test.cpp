#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>
#include <mpfr.h>

#include "vernier/numeric/normal.hpp"

namespace vernier::numeric {
namespace {

// sqrt(pi/2) erfc(z / sqrt 2) from MPFR with 700 bits, the argument rounded both ways.
bool contains_mpfr(const Ball& found, double z, mpfr_rnd_t direction) {
  mpfr_t value, root;
  mpfr_inits2(700, value, root, static_cast<mpfr_ptr>(nullptr));
  mpfr_sqrt_ui(root, 2, direction == MPFR_RNDU ? MPFR_RNDD : MPFR_RNDU);
  mpfr_d_div(value, z, root, direction);
  mpfr_erfc(value, value, MPFR_RNDN);
  mpfr_const_pi(root, MPFR_RNDN);
  mpfr_div_2ui(root, root, 1, MPFR_RNDN);
  mpfr_sqrt(root, root, MPFR_RNDN);
  mpfr_mul(value, value, root, MPFR_RNDN);
  arf_t centre;
  arf_init(centre);
  arf_set_mpfr(centre, value);
  const bool inside = arb_contains_arf(found.raw(), centre) != 0;
  arf_clear(centre);
  mpfr_clears(value, root, static_cast<mpfr_ptr>(nullptr));
  return inside;
}

TEST(NormalTail, ContainsMpfrsComplementaryErrorFunctionOnBothPaths) {
  std::mt19937_64 bits(17);
  std::uniform_real_distribution<double> uniform(-8, 40);
  for (int i = 0; i < 60; ++i) {
    const double z = uniform(bits);  // from 16 on by the series, at 128 bits
    const Ball found = normal_tail_integral(Ball::of(z, {128}));
    EXPECT_TRUE(contains_mpfr(found, z, MPFR_RNDD)) << z;
    EXPECT_TRUE(contains_mpfr(found, z, MPFR_RNDU)) << z;
    EXPECT_GT(arb_rel_accuracy_bits(found.raw()), 110) << z;
  }
}

// The two paths at the same z: 200 bits take the error function below z = 20, 128 bits take the series from 16 on.
TEST(NormalTail, AgreesWithItselfWhereThePathsMeet) {
  for (double z = 16.1; z < 20; z += 0.1) {
    const Ball series = normal_tail_integral(Ball::of(z, {128}));
    const Ball direct = normal_tail_integral(Ball::of(z, {200}));
    EXPECT_TRUE(arb_overlaps(series.raw(), direct.raw())) << z;
    const Bounds quotient = (series / direct).bounds();
    EXPECT_LE(quotient.upper, 1 + 0x1p-52);
    EXPECT_GE(quotient.lower, 1 - 0x1p-52);
  }
}

// z / (z^2 + 1) < M(z) < 1 / z, so the integral lies between these times exp(-z^2 / 2), however large z is.
TEST(NormalTail, StaysTightFarOut) {
  for (const double z : {50.0, 1e3, 1e6, 9.3e6, 1e9}) {
    const Ball point = Ball::of(z, {192}) / Ball::of(1.5, {192});  // an inexact argument
    const Ball mills = normal_tail_integral(point) * exp(times_power_of_two(power(point, 2), -1));
    EXPECT_EQ(less(mills * point, Ball::of(1, {192})), true) << z;
    EXPECT_EQ(less(power(point, 2) / (power(point, 2) + Ball::of(1, {192})), mills * point), true) << z;
  }
}

TEST(NormalTail, IsHalfOfTheWholeAtZero) {
  const Ball twice = times_power_of_two(normal_tail_integral(Ball::of(0, {128})), 1);
  EXPECT_TRUE(arb_overlaps(power(twice, 2).raw(), times_power_of_two(Ball::pi({128}), 1).raw()));
}

TEST(NormalTail, IsTheBellTimesTheMillsRatioOnBothPaths) {
  for (const double z : {-5.0, 0.0, 1.0, 15.9, 16.1, 40.0, 1e9}) {
    const Ball exact = Ball::of(z, {128});
    const Ball bell = exp(-times_power_of_two(power(exact, 2), -1));
    EXPECT_EQ((mills_ratio(exact) * bell / normal_tail_integral(exact)).nearest(), 1) << z;
  }
  EXPECT_EQ(mills_ratio(Ball::of(1e9, {128})).nearest(), 1e-9);
}

}  // namespace
}  // namespace vernier::numeric
