#include "vernier/accounting/optimal.hpp"

#include <cmath>
#include <ctime>
#include <sstream>
#include <vector>

#include <gtest/gtest.h>

#include "support/parameters.hpp"
#include "support/reference.hpp"
#include "vernier/accounting/composition.hpp"
#include "vernier/numeric/ball.hpp"
#include "vernier/numeric/rational.hpp"
#include "vernier/numeric/rounding.hpp"

namespace vernier::accounting {
namespace {

using numeric::Ball;
using numeric::Precision;
using numeric::Rational;

constexpr Precision fine{300};

Statement pure(double epsilon, double times = 1) { return {{epsilon, epsilon}, 0, times}; }
Statement geometric(double scale, double times) {
  return {{numeric::divide_down(1, scale), numeric::divide_up(1, scale)}, 0, times};
}
Ball ball(double x) { return Ball::of(x, fine); }

// E[(1 - e^(epsilon - L))+] over every outcome, and the failures; by plain enumeration in balls.
Ball brute_delta(const std::vector<Statement>& list, double epsilon) {
  Ball sum = ball(0), none_fails = ball(1);
  std::vector<std::pair<Ball, Ball>> outcomes{{ball(0), ball(1)}};  // loss, mass
  for (const Statement& one : list) {
    for (int i = 0; i < one.times; ++i) {
      const Ball e = ball(one.epsilon.upper), odds = exp(e);
      std::vector<std::pair<Ball, Ball>> next;
      for (const auto& [loss, mass] : outcomes) {
        next.emplace_back(loss + e, mass * odds / (ball(1) + odds));
        next.emplace_back(loss - e, mass / (ball(1) + odds));
      }
      outcomes = std::move(next);
      none_fails = none_fails * (ball(1) - ball(one.delta));
    }
  }
  for (const auto& [loss, mass] : outcomes) {
    const Ball gain = ball(1) - exp(ball(epsilon) - loss);
    if (less(gain, ball(0)) != true) sum = sum + mass * gain;
  }
  return ball(1) - none_fails * (ball(1) - sum);
}

void expect_within(const Bounds& bounds, const Ball& exact, double width) {
  EXPECT_LE(bounds.lower, exact.bounds().upper);
  EXPECT_GE(bounds.upper, exact.bounds().lower);
  EXPECT_LE(bounds.upper - bounds.lower, width * bounds.upper);
}

std::vector<Statement> any_list(test::Parameters& any, bool failing) {
  std::vector<Statement> list;
  const int count = static_cast<int>(any.uniform(1, 5));
  for (int i = 0; i < count; ++i) {
    const double epsilon = any.log_uniform(1e-3, 3);
    list.push_back({{epsilon, epsilon}, failing ? any.log_uniform(1e-9, 0.1) : 0, std::floor(any.uniform(1, 3.9))});
  }
  return list;
}

TEST(OptimalComposition, IsTheSumOverAllOutcomes) {
  test::Parameters any(501);
  for (int i = 0; i < 150; ++i) {
    const std::vector<Statement> list = any_list(any, i % 2 == 1);
    const double epsilon = sum_of_epsilons(list).upper * any.uniform(0, 1);
    const auto optimal = OptimalComposition::of(list);
    ASSERT_TRUE(optimal);
    expect_within(optimal->delta(epsilon), brute_delta(list, epsilon), 1e-12);
  }
}

TEST(OptimalComposition, FindsTheEpsilonThatHasThisDelta) {
  test::Parameters any(502);
  for (int i = 0; i < 150; ++i) {
    const std::vector<Statement> list = any_list(any, i % 2 == 1);
    const auto optimal = OptimalComposition::of(list);
    const double least = any_failure(list).upper;
    const double delta = least + (optimal->delta(0).lower - least) * any.log_uniform(1e-12, 1.1);
    SCOPED_TRACE(testing::Message() << i << " " << delta);
    const Result<Bounds> epsilon = optimal->epsilon(delta);
    ASSERT_TRUE(epsilon);
    EXPECT_NE(less(ball(delta), brute_delta(list, epsilon->upper)), true);
    if (epsilon->upper == 0) continue;
    EXPECT_NE(less(brute_delta(list, epsilon->lower), ball(delta)), true);
    EXPECT_LE(epsilon->upper - epsilon->lower, (list.front().delta == 0 ? 1e-9 : 1e-3) * epsilon->upper);
  }
}

std::vector<Statement> statements_of(const std::string& kind, const std::string& text) {
  std::istringstream words(text);
  std::vector<Statement> list;
  if (kind == "optimal") {
    for (double epsilon = 0; words >> epsilon;) list.push_back(pure(epsilon));
    return list;
  }
  double value = 0, times = 0;
  std::string by;
  words >> value >> by >> times;
  return {kind == "discrete-laplace" ? geometric(value, times) : pure(value, times)};
}

TEST(OptimalComposition, HoldsTheReferenceTable) {
  const auto rows = test::reference_rows("composition.csv");
  int seen = 0;
  for (const auto& row : rows) {
    if (row[0] == "gaussian-epsilon") continue;
    SCOPED_TRACE(row[0] + " " + row[1]);
    const auto optimal = OptimalComposition::of(statements_of(row[0], row[1]));
    const double epsilon = std::stod(row[2]);
    const Bounds delta = optimal->delta(epsilon);
    const Rational value = *Rational::of_decimal(row[3]);
    EXPECT_LE(*Rational::of(delta.lower), value * *Rational::of_decimal("1.000000000000000000000001"));
    EXPECT_GE(*Rational::of(delta.upper), value * *Rational::of_decimal("0.999999999999999999999999"));
    EXPECT_LE(delta.upper - delta.lower, 1e-9 * delta.upper);
    ++seen;
    if (delta.upper == 0) continue;
    const Result<Bounds> back = optimal->epsilon(value.round_up());
    EXPECT_LE(back->lower, epsilon);
    EXPECT_GE(back->upper, epsilon * (1 - 1e-12));
    EXPECT_LE(back->upper - back->lower, 1e-9 * back->upper);
  }
  EXPECT_GE(seen, 31);
}

TEST(OptimalComposition, GivesTheSumForDeltaZeroAndZeroFromTheSumOn) {
  const std::vector<Statement> list{pure(0.1, 3), pure(0.7)};
  const auto optimal = OptimalComposition::of(list);
  EXPECT_EQ(optimal->epsilon(0)->upper, sum_of_epsilons(list).upper);
  EXPECT_EQ(optimal->epsilon(0)->lower, sum_of_epsilons(list).lower);
  EXPECT_EQ(optimal->delta(sum_of_epsilons(list).upper), (Bounds{0, 0}));
  EXPECT_EQ(OptimalComposition::of(std::vector{pure(0.5, 1e6)})->delta(5e5), (Bounds{0, 0}));
  EXPECT_GT(OptimalComposition::of(std::vector{pure(0.5, 100)})->delta(50 * (1 - 1e-15)).upper, 0);
}

TEST(OptimalComposition, CountsAnEpsilonThatIsSaidTwice) {
  const auto once = OptimalComposition::of(std::vector{pure(0.2, 5), pure(0.3, 2)});
  const auto twice = OptimalComposition::of(std::vector{pure(0.2, 2), pure(0.3), pure(0.2, 3), pure(0.3)});
  EXPECT_EQ(once->delta(0.4), twice->delta(0.4));
  EXPECT_EQ(*once->epsilon(1e-3), *twice->epsilon(1e-3));
}

// Two groups that differ by one bit are enumerated, and one group is summed as a binomial law: two ways, one figure.
TEST(OptimalComposition, AgreesBetweenItsTwoWays) {
  for (const double e : {0.01, 0.1, 1.0}) {
    const double next = std::nextafter(e, 2);
    const auto groups = OptimalComposition::of(std::vector{pure(e, 400), pure(next, 300)});
    const auto below = OptimalComposition::of(std::vector{pure(e, 700)});
    const auto above = OptimalComposition::of(std::vector{pure(next, 700)});
    for (const double delta : {1e-200, 1e-6, 0.1}) {
      const Bounds epsilon = *groups->epsilon(delta);
      EXPECT_LE(below->epsilon(delta)->lower, epsilon.upper);
      EXPECT_GE(above->epsilon(delta)->upper, epsilon.lower);
      EXPECT_LE(epsilon.upper - epsilon.lower, 1e-12 * epsilon.upper);
      EXPECT_NEAR(below->epsilon(delta)->lower, epsilon.upper, 1e-12 * epsilon.upper);
    }
  }
}

TEST(OptimalComposition, RefusesADeltaBelowTheFailuresInOneSentence) {
  const auto optimal = OptimalComposition::of(std::vector{Statement{{1, 1}, 1e-6, 10}});
  const auto epsilon = optimal->epsilon(1e-6);
  ASSERT_FALSE(epsilon);
  EXPECT_EQ(epsilon.error().kind, ErrorKind::invalid);
  EXPECT_NE(epsilon.error().sentence().find("at least 9.9999"), std::string::npos) << epsilon.error().sentence();
  EXPECT_TRUE(optimal->epsilon(1e-5));
}

TEST(OptimalComposition, IsNotExactForTooManyDifferentSums) {
  std::vector<Statement> list;
  for (int i = 1; i <= 20; ++i) list.push_back(pure(0.01 * i));
  EXPECT_TRUE(OptimalComposition::of(std::span(list).first(12)));
  list.push_back(pure(0.5));
  EXPECT_FALSE(OptimalComposition::of(list));
  EXPECT_FALSE(OptimalComposition::of({}));
}

TEST(OptimalComposition, IsNeverAboveAdvancedAndBasicComposition) {
  test::Parameters any(503);
  for (int i = 0; i < 200; ++i) {
    std::vector<Statement> list = any_list(any, i % 2 == 1);
    if (i % 4 == 0) list = {pure(any.log_uniform(1e-4, 1), std::floor(any.log_uniform(1, 1e6)))};
    const auto optimal = OptimalComposition::of(list);
    const double epsilon = sum_of_epsilons(list).upper * any.log_uniform(1e-3, 1);
    EXPECT_LE(optimal->delta(epsilon).lower, advanced_delta(list, epsilon));
    const double delta = any.log_uniform(1e-12, 0.5);
    const Result<double> advanced = advanced_epsilon(list, delta);
    if (advanced) {
      EXPECT_LE(optimal->epsilon(delta)->lower, *advanced);
    }
    const BasicTotal basic = basic_total(list);
    EXPECT_LE(optimal->delta(basic.epsilon).lower, basic.delta);
  }
}

// The two-sided geometric noise of scale 20, ten thousand times: the root is known from an independent sum.
TEST(OptimalComposition, ComposesTenThousandGeometricReleases) {
  const auto optimal = OptimalComposition::of(std::vector{geometric(20, 1e4)});
  const Bounds epsilon = *optimal->epsilon(1e-6);
  EXPECT_NEAR(epsilon.upper, 35.5445042, 1e-6);
  EXPECT_LE(epsilon.upper - epsilon.lower, 1e-11);
}

TEST(OptimalComposition, ReachesBillionsOfReleasesAndTheSmallestDeltas) {
  for (const double times : {1.0, 7.0, 1e3, 1e6, 1e9}) {
    for (const double delta : {1e-300, 1e-100, 1e-6, 0.3}) {
      SCOPED_TRACE(testing::Message() << times << " " << delta);
      const auto optimal = OptimalComposition::of(std::vector{pure(0.3 / std::sqrt(times), times)});
      const Bounds epsilon = *optimal->epsilon(delta);
      EXPECT_LE(epsilon.upper - epsilon.lower, 1e-11 * epsilon.upper);
      if (epsilon.upper == 0) continue;
      const Bounds there = optimal->delta(epsilon.upper);
      EXPECT_LE(there.upper, delta);
      EXPECT_LE(there.upper - there.lower, 2e-13 * there.upper);
    }
  }
}

// The benchmark measures it; here only a cost that grows with the number would be noticed.
TEST(SlowOptimalComposition, AnswersTenThousandReleasesSoon) {
  const std::clock_t begin = std::clock();
  constexpr int repeats = 20;
  double sum = 0;
  for (int i = 0; i < repeats; ++i) {
    sum += OptimalComposition::of(std::vector{geometric(20 + i, 1e4)})->epsilon(1e-6)->upper;
  }
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  EXPECT_GT(sum, 0);
  EXPECT_LE(seconds / repeats, 0.01);  // 0.0002 on an idle machine
}

}  // namespace
}  // namespace vernier::accounting
