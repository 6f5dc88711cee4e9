#include "vernier/noise/gaussian.hpp"

#include <cmath>

#include <gtest/gtest.h>
#include <mpfr.h>

#include "support/parameters.hpp"
#include "vernier/numeric/ball.hpp"

namespace vernier::noise {
namespace {

Real real(double x) { return *Real::of(x); }
Gaussian law_at(double scale) { return Gaussian::of(*Sigma::of(scale)); }

// erfc(x / (scale sqrt 2)) / 2 from MPFR with 400 bits, rounded outward.
Bounds mpfr_tail(double x, double scale) {
  mpfr_t value, root;
  mpfr_inits2(400, value, root, static_cast<mpfr_ptr>(nullptr));
  mpfr_sqrt_ui(root, 2, MPFR_RNDN);
  mpfr_mul_d(root, root, scale, MPFR_RNDN);
  mpfr_d_div(value, x, root, MPFR_RNDN);
  mpfr_erfc(value, value, MPFR_RNDN);
  mpfr_div_2ui(value, value, 1, MPFR_RNDN);
  const Bounds result{mpfr_get_d(value, MPFR_RNDD), mpfr_get_d(value, MPFR_RNDU)};
  mpfr_clears(value, root, static_cast<mpfr_ptr>(nullptr));
  return result;
}

TEST(Gaussian, AgreesWithMpfr) {
  test::Parameters any(61);
  for (int i = 0; i < 100; ++i) {
    const double scale = any.log_uniform(least_scale, greatest_scale);
    const double x = scale * any.uniform(-8, 38);
    EXPECT_EQ(law_at(scale).tail(real(x)), mpfr_tail(x, scale)) << scale << " " << x;
    EXPECT_EQ(law_at(scale).cumulative(real(x / 5)), mpfr_tail(-x / 5, scale)) << scale << " " << x;
  }
}

TEST(Gaussian, HasItsTextbookValues) {
  EXPECT_NEAR(law_at(2).density(real(2)).lower, 0.12098536225957168, 2e-17);
  EXPECT_NEAR(law_at(2).cumulative(real(2)).lower, 0.84134474606854293, 1e-16);
  EXPECT_NEAR(law_at(1).quantile(*Probability::of(0.975))->value(), 1.9599639845400543, 1e-15);
  EXPECT_EQ(law_at(1).density(real(0)).lower, 0.3989422804014327 - 0x1p-54);
}

TEST(Gaussian, HasTheSquareOfItsScaleAsVariance) {
  EXPECT_EQ(law_at(3).variance(), (Bounds{9, 9}));
  EXPECT_LT(law_at(0.1).variance().lower, law_at(0.1).variance().upper);
  EXPECT_NEAR(law_at(1e100).variance().upper / 1e200, 1, 1e-15);
}

// P[abs(X) > a] is 2 P[X > a], doubled exactly; near 0, where no double is fine enough, the bounds are neighbours.
TEST(Gaussian, HasBothTailsOutside) {
  constexpr numeric::Precision fine{600};
  test::Parameters any(62);
  for (int i = 0; i < 2000; ++i) {
    const double scale = any.log_uniform(least_scale, greatest_scale);
    const double a = scale * (i % 2 == 0 ? any.uniform(0, 38.5) : any.log_uniform(1e-20, 40));
    SCOPED_TRACE(testing::Message() << "scale " << scale << " a " << a);
    const Bounds found = law_at(scale).outside(real(a));
    const numeric::Ball truth = times_power_of_two(law_at(scale).tail(real(a), fine), 1);
    EXPECT_EQ(less(truth, numeric::Ball::of(found.lower, fine)), false);
    EXPECT_EQ(less(numeric::Ball::of(found.upper, fine), truth), false);
    const bool neighbours = std::nextafter(found.lower, 1) >= found.upper;
    EXPECT_TRUE(neighbours || found.upper - found.lower <= 1e-12 * found.lower);
  }
}

TEST(Gaussian, HasOneOutsideZeroAndLeastOutsideEverything) {
  EXPECT_EQ(law_at(2).outside(real(-1)), (Bounds{1, 1}));
  EXPECT_EQ(law_at(2).outside(real(0)).upper, 1);
  EXPECT_EQ(law_at(2).outside(real(1e300)), (Bounds{0, 5e-324}));
}

// OpenDP's accuracy takes the quantile at 1 - alpha: infinite from alpha 1e-17 down.
TEST(Gaussian, HasAFiniteAccuracyWhereOpendpHasNone) {
  EXPECT_NEAR(law_at(1).two_sided_quantile(*Probability::of(1e-17))->value(), 8.573944076720883, 1e-12);
  EXPECT_NEAR(law_at(1).two_sided_quantile(*Probability::of(1e-300))->value(), 37.065787880772, 1e-11);
}

}  // namespace
}  // namespace vernier::noise
