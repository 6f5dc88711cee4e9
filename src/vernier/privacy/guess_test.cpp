#include "vernier/privacy/guess.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace vernier::privacy {
namespace {

TEST(Guess, IsAttainedByRandomizedResponse) {
  for (const double epsilon : {0.01, 0.5, 1.0, 3.0, 20.0}) {
    const double truth = std::exp(epsilon) / (1 + std::exp(epsilon));
    EXPECT_NEAR(guess_chance(epsilon, 0), truth, 1e-15);
    EXPECT_GE(guess_chance(epsilon, 0), truth * (1 - 1e-16));
  }
  EXPECT_NEAR(guess_chance(1, 0.25), (std::exp(1.0) + 0.25) / (1 + std::exp(1.0)), 1e-15);
  EXPECT_EQ(std::ceil(100 * guess_chance(1, 1e-7)), 74);
}

TEST(Guess, NeverFallsBelowTheExactValue) {
  for (int i = 1; i <= 1000; ++i) {
    const long double epsilon = static_cast<double>(i) * 0.013, delta = static_cast<double>(i) * 1e-6;
    const long double exact = (std::exp(epsilon) + delta) / (1 + std::exp(epsilon));
    EXPECT_GE(static_cast<long double>(guess_chance(static_cast<double>(epsilon), static_cast<double>(delta))),
              exact - 1e-18L);
  }
  EXPECT_EQ(guess_chance(1e6, 0), 1);
  EXPECT_EQ(guess_chance(1, 1), 1);
}

TEST(Guess, PointingIsBoundedByBothSides) {
  EXPECT_NEAR(found_chance(1, 0, 0.05), 0.05 * std::exp(1.0), 1e-15);
  EXPECT_NEAR(found_chance(5, 0, 0.05), 1 - std::exp(-5.0) * 0.95, 1e-15);
  EXPECT_NEAR(found_chance(0.1, 0.2, 0.05), 0.05 * std::exp(0.1) + 0.2, 1e-15);
  EXPECT_EQ(found_chance(1e6, 0, 0.05), 1);
}

}  // namespace
}  // namespace vernier::privacy
