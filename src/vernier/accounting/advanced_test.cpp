#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "support/parameters.hpp"
#include "vernier/accounting/composition.hpp"
#include "vernier/numeric/ball.hpp"
#include "vernier/numeric/rational.hpp"

namespace vernier::accounting {
namespace {

using numeric::Ball;
using numeric::Precision;
using numeric::Rational;

constexpr Precision fine{200};
Ball ball(double x) { return Ball::of(x, fine); }

std::vector<Statement> any_list(test::Parameters& any) {
  std::vector<Statement> list;
  const int count = static_cast<int>(any.uniform(1, 9));
  for (int i = 0; i < count; ++i) {
    const double epsilon = any.log_uniform(1e-4, 2);
    list.push_back({{epsilon, epsilon},
                    any.uniform(0, 1) < 0.5 ? 0 : any.log_uniform(1e-15, 1e-5),
                    std::floor(any.log_uniform(1, 1e4))});
  }
  return list;
}

// The theorem word by word: epsilon at delta', and the total delta.
struct Theorem {
  Ball epsilon;
  Ball delta;
};

Theorem theorem(const std::vector<Statement>& list, const Ball& rest) {
  Ball mean = ball(0), squares = ball(0), none = ball(1);
  for (const Statement& one : list) {
    const Ball e = ball(one.epsilon.upper), k = ball(one.times);
    mean = mean + k * e * (exp(e) - ball(1)) / (exp(e) + ball(1));
    squares = squares + k * e * e;
    none = none * power(ball(1) - ball(one.delta), static_cast<unsigned long>(one.times));
  }
  return {mean + sqrt(ball(2) * log(ball(1) / rest) * squares), ball(1) - (ball(1) - rest) * none};
}

Ball sum_of(const std::vector<Statement>& list) {
  Ball sum = ball(0);
  for (const Statement& one : list) sum = sum + ball(one.epsilon.upper) * ball(one.times);
  return sum;
}

TEST(BasicComposition, AddsUpExactlyAndRoundsUp) {
  test::Parameters any(511);
  for (int i = 0; i < 300; ++i) {
    const std::vector<Statement> list = any_list(any);
    Rational epsilon = Rational::of(0), delta = Rational::of(0);
    for (const Statement& one : list) {
      epsilon = epsilon + *Rational::of(one.epsilon.upper) * *Rational::of(one.times);
      delta = delta + *Rational::of(one.delta) * *Rational::of(one.times);
    }
    const BasicTotal total = basic_total(list);
    EXPECT_GE(*Rational::of(total.epsilon), epsilon);
    EXPECT_GE(*Rational::of(total.delta), delta);
    EXPECT_LE(total.epsilon, epsilon.round_up() * (1 + 1e-14));
    EXPECT_LE(total.delta, delta.round_up() * (1 + 1e-14));
  }
}

TEST(BasicComposition, NeverSaysMoreThanDeltaOne) {
  const Statement loose{{1, 1}, 0.4, 3};
  EXPECT_EQ(basic_total({&loose, 1}).delta, 1);
}

TEST(AdvancedComposition, IsTheTheoremRoundedUp) {
  test::Parameters any(512);
  for (int i = 0; i < 500; ++i) {
    const std::vector<Statement> list = any_list(any);
    const Theorem exact = theorem(list, ball(any.log_uniform(1e-9, 1)));
    const double delta = exact.delta.nearest();
    const Result<double> epsilon = advanced_epsilon(list, delta);
    ASSERT_TRUE(epsilon);
    const Ball rest = ball(1) - (ball(1) - ball(delta)) / (ball(1) - theorem(list, ball(0x1p-1000)).delta);
    if (less(rest, ball(1e-300)) != false) continue;
    const Ball least = theorem(list, rest).epsilon, sum = sum_of(list);
    const Ball expected = less(least, sum) == true ? least : sum;
    EXPECT_NE(less(ball(*epsilon), expected), true);
    EXPECT_LE(*epsilon, expected.nearest() * (1 + 1e-6));
  }
}

TEST(AdvancedComposition, GivesBackTheDeltaOfItsEpsilon) {
  test::Parameters any(513);
  int usual = 0;
  for (int i = 0; i < 500; ++i) {
    const std::vector<Statement> list = any_list(any);
    const double rest = any.log_uniform(1e-9, 0.9);
    const Theorem exact = theorem(list, ball(rest));
    const double delta = advanced_delta(list, exact.epsilon.nearest());
    if (less(sum_of(list), exact.epsilon) == true) {
      EXPECT_EQ(delta, any_failure(list).upper);
      continue;
    }
    ++usual;
    EXPECT_GE(delta, exact.delta.nearest() * (1 - 1e-9));
    EXPECT_LE(delta, exact.delta.nearest() * (1 + 1e-9));
    EXPECT_NE(less(ball(delta), theorem(list, ball(rest)).delta * ball(1 - 1e-12)), true);
  }
  EXPECT_GT(usual, 100);
}

TEST(AdvancedComposition, IsTheSumForDeltaZeroAndRefusesLessThanTheFailures) {
  const std::vector<Statement> list{{{0.1, 0.1}, 0, 10}};
  EXPECT_EQ(*advanced_epsilon(list, 0), sum_of_epsilons(list).upper);
  EXPECT_EQ(advanced_delta(list, 0.01), 1);
  const std::vector<Statement> failing{{{0.1, 0.1}, 1e-3, 10}};
  const auto refused = advanced_epsilon(failing, 1e-3);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().sentence().find("at least 0.00995"), std::string::npos) << refused.error().sentence();
}

TEST(Statements, TakeFailuresOutAndPutThemBack) {
  test::Parameters any(514);
  for (int i = 0; i < 300; ++i) {
    const std::vector<Statement> list = any_list(any);
    const Bounds failure = any_failure(list);
    Ball none = ball(1);
    for (const auto& one : list) none = none * power(ball(1) - ball(one.delta), static_cast<unsigned long>(one.times));
    EXPECT_NE(less(ball(1) - none, ball(failure.lower)), true);
    EXPECT_NE(less(ball(failure.upper), ball(1) - none), true);
    EXPECT_LE(failure.upper - failure.lower, 1e-14 * failure.upper);
    const double delta = any.uniform(0, 1);
    const Bounds total = with_failure(failure, {delta, delta});
    EXPECT_LE(total.lower, total.upper);
    EXPECT_LE(without_failure(failure, total.lower).lower, delta);
    EXPECT_GE(without_failure(failure, total.upper).upper, delta);
  }
}

}  // namespace
}  // namespace vernier::accounting
