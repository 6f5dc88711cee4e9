#include "vernier/noise/laplace.hpp"

#include <cmath>

#include <gtest/gtest.h>
#include <mpfr.h>

#include "support/parameters.hpp"

namespace vernier::noise {
namespace {

Real real(double x) { return *Real::of(x); }
Laplace law_at(double scale) { return Laplace::of(*LaplaceScale::of(scale)); }

// factor exp(-abs(x) / scale) from MPFR with 300 bits, rounded outward.
Bounds mpfr_decay(double x, double scale, double factor) {
  mpfr_t value;
  mpfr_init2(value, 300);
  mpfr_set_d(value, -std::abs(x), MPFR_RNDN);
  mpfr_div_d(value, value, scale, MPFR_RNDN);
  mpfr_exp(value, value, MPFR_RNDN);
  mpfr_mul_d(value, value, factor, MPFR_RNDN);
  const Bounds result{mpfr_get_d(value, MPFR_RNDD), mpfr_get_d(value, MPFR_RNDU)};
  mpfr_clear(value);
  return result;
}

TEST(Laplace, AgreesWithMpfr) {
  test::Parameters any(51);
  for (int i = 0; i < 500; ++i) {
    const double scale = any.log_uniform(least_scale, greatest_scale);
    const double x = scale * any.log_uniform(1e-10, 740);
    EXPECT_EQ(law_at(scale).tail(real(x)), mpfr_decay(x, scale, 0.5)) << scale << " " << x;
    EXPECT_EQ(law_at(scale).cumulative(real(-x)), mpfr_decay(x, scale, 0.5)) << scale << " " << x;
  }
  EXPECT_EQ(law_at(4).density(real(-3)), mpfr_decay(3, 4, 0.125));
}

TEST(Laplace, HasTheVarianceTwiceTheSquareOfItsScale) {
  EXPECT_EQ(law_at(3).variance(), (Bounds{18, 18}));
  const Bounds inexact = law_at(0.1).variance();
  EXPECT_LT(inexact.lower, inexact.upper);
  EXPECT_NEAR(inexact.lower, 0.02, 1e-17);
  EXPECT_NEAR(law_at(1e-100).variance().upper / 2e-200, 1, 1e-15);
}

TEST(Laplace, HasLogarithmsAsQuantiles) {
  EXPECT_NEAR(law_at(2).quantile(*Probability::of(0.75))->value(), 2 * std::log(2), 1e-15);
  EXPECT_NEAR(law_at(2).quantile(*Probability::of(1e-300))->value(), 2 * std::log(2e-300), 1e-12);
}

}  // namespace
}  // namespace vernier::noise
