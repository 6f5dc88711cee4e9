#include "vernier/accounting/loss/quick.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "support/parameters.hpp"
#include "vernier/numeric/ball.hpp"
#include "vernier/numeric/rounding.hpp"

namespace vernier::accounting {
namespace {

using numeric::Ball;

constexpr numeric::Precision fine{160};

// abs(value / exact - 1) in units of 2^-53.
double units_off(double value, const Ball& exact) {
  const Bounds off = (Ball::of(value, fine) / exact - Ball::of(1, fine)).bounds();
  return std::max(-off.lower, off.upper) / numeric::unit_roundoff;
}

TEST(QuickExponential, KeepsTheErrorsThatItsPageProves) {
  test::Parameters any(60);
  for (int i = 0; i < 20000; ++i) {
    const double sign = i % 2 == 0 ? 1 : -1;
    const double edge = (std::floor(any.uniform(0, 20)) + 0.5) * std::log(2.0) * (1 + any.uniform(-1e-9, 1e-9));
    const double x = sign * (i % 3 == 0 ? any.log_uniform(1e-18, 600) : i % 3 == 1 ? any.uniform(0, 2) : edge);
    SCOPED_TRACE(x);
    EXPECT_LE(units_off(quick::exp(x), exp(Ball::of(x, fine))), quick::exp_units);
    EXPECT_LE(units_off(quick::expm1(x), expm1(Ball::of(x, fine))), quick::expm1_units);
    const double grown = std::max(-0.5, i % 5 == 0 ? std::sqrt(2.0) - 1 + any.uniform(-1e-9, 1e-9) : std::expm1(x));
    EXPECT_LE(units_off(quick::log1p(grown), log1p(Ball::of(grown, fine))), quick::log1p_units) << grown;
  }
}

TEST(QuickExponential, IsExactAtZero) {
  EXPECT_EQ(quick::exp(0), 1);
  EXPECT_EQ(quick::expm1(0), 0);
  EXPECT_EQ(quick::log1p(0), 0);
}

}  // namespace
}  // namespace vernier::accounting
