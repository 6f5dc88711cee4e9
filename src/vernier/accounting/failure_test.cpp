#include <gtest/gtest.h>

#include "support/parameters.hpp"
#include "vernier/accounting/statement.hpp"
#include "vernier/numeric/ball.hpp"

namespace vernier::accounting {
namespace {

using numeric::Ball;

Ball ball(double x) { return Ball::of(x, numeric::Precision{400}); }

void expect_around(const Bounds& bounds, const Ball& exact, double width) {
  EXPECT_LE(bounds.lower, exact.bounds().upper);
  EXPECT_GE(bounds.upper, exact.bounds().lower);
  EXPECT_LE(bounds.upper - bounds.lower, width * bounds.upper);
}

TEST(Failure, IsThatOfAnyOfIndependentOnes) {
  test::Parameters random(61);
  for (int i = 0; i < 300; ++i) {
    AnyFailure any;
    Ball none = ball(1);
    for (int j = 0; j < 5; ++j) {
      const double chance = random.log_uniform(1e-300, 0.9), times = std::floor(random.log_uniform(1, 100));
      any.add({chance, chance}, times);
      none = none * power(ball(1) - ball(chance), static_cast<unsigned long>(times));
    }
    expect_around(any.chance(), ball(1) - none, 1e-14);
  }
}

TEST(Failure, KeepsTheEndsOfAChanceThatIsNotKnownExactly) {
  AnyFailure any;
  any.add({0.1, 0.2}, 2);
  EXPECT_NEAR(any.chance().lower, 0.19, 1e-15);
  EXPECT_NEAR(any.chance().upper, 0.36, 1e-15);
}

TEST(Failure, OfOneStatementIsItsOwnChanceToTheLastDigit) {
  test::Parameters random(63);
  for (int i = 0; i < 1000; ++i) {
    const double chance = random.log_uniform(1e-300, 1);
    AnyFailure any;
    any.add({chance, chance}, 1);
    EXPECT_EQ(any.chance().upper, chance);
  }
}

TEST(Failure, IsExactlyNothingOrCertainAtItsEnds) {
  AnyFailure never, surely;
  never.add({0, 0}, 1e15);
  EXPECT_EQ(never.chance(), (Bounds{0, 0}));
  surely.add({1, 1}, 3);
  EXPECT_EQ(surely.chance(), (Bounds{1, 1}));
}

TEST(Failure, IsAddedToDeltaAndTakenOff) {
  test::Parameters random(62);
  for (int i = 0; i < 300; ++i) {
    const double failure = random.log_uniform(1e-300, 0.5), delta = random.log_uniform(1e-300, 0.5);
    const Ball exact = ball(1) - (ball(1) - ball(failure)) * (ball(1) - ball(delta));
    expect_around(with_failure({failure, failure}, {delta, delta}), exact, 1e-15);
    const double total = random.uniform(failure, 1);
    const Ball rest = (ball(total) - ball(failure)) / (ball(1) - ball(failure));
    expect_around(without_failure({failure, failure}, total), rest, 1e-13);
  }
  EXPECT_LT(without_failure({0.1, 0.1}, 0.05).upper, 0);
}

}  // namespace
}  // namespace vernier::accounting
