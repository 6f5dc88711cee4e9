#include "vernier/noise/discrete_gaussian.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "support/parameters.hpp"
#include "vernier/noise/gaussian_sum.hpp"

namespace vernier::noise {
namespace {

using numeric::Ball;
using numeric::Precision;

DiscreteGaussian law_at(double scale) { return *DiscreteGaussian::of(*Sigma::of(scale)); }

// Jacobi's theta at exp(-pi): the sum of exp(-pi x^2) is pi^(1/4) / Gamma(3/4).
TEST(DiscreteGaussian, HasTheClosedValueOfTheta) {
  const double scale = 1 / std::sqrt(2 * std::numbers::pi);
  const double theta = std::pow(std::numbers::pi, 0.25) / std::tgamma(0.75);
  EXPECT_NEAR(law_at(scale).total({128}).bounds().lower, theta, 1e-15);
  EXPECT_NEAR(law_at(scale).mass(0).upper, 1 / theta, 1e-15);
}

// At 1 the dual sum takes over from the plain one; both are checked against a sum term by term.
TEST(DiscreteGaussian, HasTotalsThatAgreeOnBothSidesOfOne) {
  const Precision fine{192};
  for (const double s : {1.0, std::nextafter(1.0, 0)}) {
    const Ball direct = times_power_of_two(upper_sum_by_terms(s, 0, fine), 1) + Ball::of(1, fine);
    EXPECT_TRUE(arb_overlaps(direct.raw(), gaussian_total(s, fine).raw())) << s;
    EXPECT_GT(arb_rel_accuracy_bits(gaussian_total(s, fine).raw()), 180);
  }
}

TEST(DiscreteGaussian, HasTheSameTailByExpansionAndByTerms) {
  test::Parameters any(31);
  int expanded = 0;
  for (int i = 0; i < 200; ++i) {
    const double s = any.log_uniform(8, 300);
    const auto m = static_cast<std::int64_t>(any.uniform(0, std::fmin(s, 37)) * s);
    for (const Precision precision : {Precision{64}, Precision{128}, Precision{250}}) {
      const std::optional<Ball> expansion = upper_sum_by_expansion(s, m, precision);
      if (!expansion) continue;
      ++expanded;
      const Ball terms = upper_sum_by_terms(s, m, {precision.bits + 40});
      EXPECT_TRUE(arb_contains(expansion->raw(), terms.raw())) << s << " " << m << " " << precision.bits;
      EXPECT_GE(arb_rel_accuracy_bits(expansion->raw()), precision.bits - 4) << s << " " << m;
    }
  }
  EXPECT_GT(expanded, 400);
}

// Where the sum is cut, what is left out is part of the ball.
TEST(DiscreteGaussian, CoversTheTermsThatItLeavesOut) {
  test::Parameters any(33);
  for (int i = 0; i < 200; ++i) {
    const double s = any.log_uniform(0.5, 30);
    const auto m = static_cast<std::int64_t>(any.uniform(0, 4) * s);
    const Ball coarse = upper_sum_by_terms(s, m, {40});
    EXPECT_TRUE(arb_contains(coarse.raw(), upper_sum_by_terms(s, m, {300}).raw())) << s << " " << m;
  }
}

TEST(DiscreteGaussian, UsesTheExpansionOnlyWhereItIsProven) {
  EXPECT_FALSE(upper_sum_by_expansion(7.9, 3, {128}));
  EXPECT_FALSE(upper_sum_by_expansion(8, 100, {128}));  // z = 12.6 > 8
  EXPECT_FALSE(upper_sum_by_expansion(8, 3, {400}));    // exp(-16 pi^2) = 2^-228
  EXPECT_TRUE(upper_sum_by_expansion(8, 3, {128}));
  EXPECT_TRUE(upper_sum_by_expansion(1e12, 3, {4096}));
}

// Where the number of terms is largest the answer still comes, as tight as asked for.
TEST(DiscreteGaussian, GivesTightTailsAtAnyPrecision) {
  for (const double s : {0.001, 0.7, 8.0, 33.0, 34.0, 1e5, 1e12}) {
    for (const long bits : {53L, 300L, 1000L, 2048L}) {
      const Ball tail = law_at(s).tail(static_cast<std::int64_t>(2 * s), {bits});
      EXPECT_GE(arb_rel_accuracy_bits(tail.raw()), bits - 8) << s << " " << bits;
    }
  }
}

TEST(DiscreteGaussian, HasAVarianceBelowTheSquareOfItsScale) {
  test::Parameters any(32);
  for (int i = 0; i < 200; ++i) {
    const double s = any.log_uniform(1e-3, 1.2);  // beyond, the gap is soon less than a double shows
    EXPECT_LT(law_at(s).variance().lower, s * s);
  }
  EXPECT_NEAR(law_at(1e12).variance().lower / 1e24, 1, 1e-15);
}

// E[X^2] = s^3 d(ln total)/ds, by a central difference: its own error is about 2^-60 times the third derivative.
TEST(DiscreteGaussian, HasTheVarianceThatItsTotalImplies) {
  const Precision fine{2000};
  for (const double s : {0.5, 0.75, 0.9375, 1.0, 1.5, 2.25}) {
    const double step = s * 0x1p-30;
    const Ball rise = log(gaussian_total(s + step, fine)) - log(gaussian_total(s - step, fine));
    const Ball slope = rise / Ball::of(2 * step, fine);
    const double implied = (power(Ball::of(s, fine), 3) * slope).bounds().lower;
    EXPECT_NEAR(law_at(s).variance().lower / implied, 1, 1e-14) << s;
  }
}

TEST(DiscreteGaussian, RefusesScalesOutsideItsDomain) {
  EXPECT_TRUE(DiscreteGaussian::of(*Sigma::of(least_integer_scale)));
  EXPECT_TRUE(DiscreteGaussian::of(*Sigma::of(greatest_integer_scale)));
  for (const double scale : {1e-3 - 1e-18, std::nextafter(1e12, 1e13), 1e100, 1e-100}) {
    ASSERT_FALSE(DiscreteGaussian::of(*Sigma::of(scale)));
    EXPECT_EQ(DiscreteGaussian::of(*Sigma::of(scale)).error().kind, ErrorKind::invalid);
  }
}

// P[X > 0] at scale 1e-3 is about exp(-500000): the ball knows it, though no double does.
TEST(DiscreteGaussian, KnowsTailsFarBelowTheDoubles) {
  const Ball tail = law_at(0.001).tail(0, {128});
  const Ball logarithm = log(tail);
  EXPECT_NEAR(logarithm.bounds().lower, -500000, 1e-6);
}

}  // namespace
}  // namespace vernier::noise
