// P[abs(X) > a] in plain doubles against balls of 300 bits, over the whole domain.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "support/parameters.hpp"
#include "vernier/noise/geometric.hpp"
#include "vernier/noise/laplace.hpp"

namespace vernier::noise {
namespace {

using numeric::Ball;

constexpr numeric::Precision fine{300};
constexpr double least = std::numeric_limits<double>::denorm_min();
constexpr std::int64_t last = std::numeric_limits<std::int64_t>::max();

Laplace laplace(double scale) { return Laplace::of(*LaplaceScale::of(scale)); }
Geometric geometric(double scale) { return *Geometric::of(*LaplaceScale::of(scale)); }

void expect_right(Bounds bounds, const Ball& tail) {
  const Ball exact = times_power_of_two(tail, 1);
  EXPECT_NE(less(exact, Ball::of(bounds.lower, fine)), true);
  EXPECT_NE(less(Ball::of(bounds.upper, fine), exact), true);
  EXPECT_LE(bounds.upper, 1);
  EXPECT_GT(bounds.upper, 0);
  EXPECT_LE(bounds.upper - bounds.lower, std::max(4e-15 * bounds.lower, least));
}

TEST(Outside, OfLaplaceNoiseIsRightOverTheWholeDomain) {
  test::Parameters any(451);
  for (int i = 0; i < 20000; ++i) {
    const Laplace law = laplace(any.log_uniform(least_scale, greatest_scale));
    const double size = any.uniform(0, 1) < 0.5 ? any.uniform(0, 760) : any.log_uniform(1e-30, 1);
    const Real a = *Real::of(size * law.scale());
    SCOPED_TRACE(testing::Message() << "scale " << law.scale() << " a " << a.value());
    expect_right(law.outside(a), law.tail(a, fine));
  }
}

TEST(Outside, OfGeometricNoiseIsRightOverTheWholeDomain) {
  test::Parameters any(452);
  for (int i = 0; i < 20000; ++i) {
    const Geometric law = geometric(any.log_uniform(least_integer_scale, greatest_integer_scale));
    const auto a = static_cast<std::int64_t>(law.scale() * any.uniform(0, any.uniform(0, 1) < 0.5 ? 3 : 760));
    SCOPED_TRACE(testing::Message() << "scale " << law.scale() << " a " << a);
    expect_right(law.outside(a), law.tail(a, fine));
  }
}

TEST(Outside, IsOneBelowZeroAndNeverZeroFarOut) {
  EXPECT_EQ(laplace(3).outside(*Real::of(0)), (Bounds{1, 1}));
  EXPECT_EQ(laplace(3).outside(*Real::of(-5)), (Bounds{1, 1}));
  EXPECT_EQ(laplace(1e-100).outside(*Real::of(1e300)), (Bounds{0, least}));
  EXPECT_EQ(geometric(3).outside(-1), (Bounds{1, 1}));
  EXPECT_EQ(geometric(1e-3).outside(0), (Bounds{0, least}));
  EXPECT_EQ(geometric(1e12).outside(last), (Bounds{0, least}));
}

}  // namespace
}  // namespace vernier::noise
