#include "vernier/numeric/log_factorial.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace vernier::numeric {
namespace {

TEST(LogFactorial, IsTheSumOfLogarithms) {
  constexpr Precision precision{128};
  Ball product = Ball::of(1, precision);
  for (std::int64_t n = 0; n <= 300; ++n) {
    if (n > 0) product = product * Ball::of(n, precision);
    const Ball difference = log_factorial(n, precision) - log(product);
    EXPECT_NE(less(difference, Ball::of(0, precision)), true) << n;
    EXPECT_NE(less(Ball::of(0, precision), difference), true) << n;
    EXPECT_LE(difference.bounds().upper, 1e-33) << n;
  }
}

TEST(LogFactorial, HasAnEstimateInDoubles) {
  for (const double n : {0.0, 1.0, 2.0, 7.0, 50.0, 1e4, 1e9}) {
    const double exact = log_factorial(static_cast<std::int64_t>(n), {128}).nearest();
    EXPECT_NEAR(log_factorial_estimate(n), exact, 1e-8 + 1e-15 * exact) << n;
  }
}

}  // namespace
}  // namespace vernier::numeric
