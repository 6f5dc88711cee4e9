#include <cmath>

#include <gtest/gtest.h>

#include "support/parameters.hpp"
#include "vernier/numeric/ball.hpp"
#include "vernier/numeric/normal.hpp"

namespace vernier::numeric {
namespace {

constexpr Precision fine{300};

// P[abs(Z) > z] for exact z.
Ball outside(double z) { return erfc(Ball::of(z, fine) / sqrt(Ball::of(2, fine))); }

TEST(NormalQuantile, FindsTheUpperPointOfAnyTail) {
  test::Parameters any(74);
  for (int i = 0; i < 2000; ++i) {
    const double log_tail = i % 2 == 0 ? any.uniform(-720, -std::log(2.0)) : -any.log_uniform(0.7, 10);
    const double z = normal_upper_point(log_tail);
    const Ball wanted = times_power_of_two(exp(Ball::of(log_tail, fine)), 1);
    const double relative = 1e-13;
    EXPECT_EQ(less(outside(z * (1 + relative)), wanted), true) << log_tail;
    EXPECT_EQ(less(wanted, outside(z * (1 - relative))), true) << log_tail;
  }
  EXPECT_NEAR(normal_upper_point(-std::log(2.0)), 0, 1e-15);
}

TEST(NormalQuantile, FindsTheCentralPointHoweverSmall) {
  test::Parameters any(75);
  for (int i = 0; i < 2000; ++i) {
    const double p = i % 2 == 0 ? any.uniform(0, 0.5) : any.log_uniform(1e-300, 0.5);
    const double z = normal_central_point(p);
    const Ball middle = times_power_of_two(Ball::pi(fine), -1);  // P[abs(Z) <= z] z^-1 is sqrt(2/pi) at 0
    const Ball inside = z < 1e-20 ? Ball::of(z, fine) / sqrt(middle) : Ball::of(1, fine) - outside(z);
    EXPECT_NEAR((inside / Ball::of(p, fine)).nearest(), 1, 1e-14) << p;
  }
  EXPECT_EQ(normal_central_point(0), 0);
}

}  // namespace
}  // namespace vernier::numeric
