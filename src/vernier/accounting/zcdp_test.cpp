#include "vernier/accounting/zcdp.hpp"

#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "support/parameters.hpp"
#include "vernier/mechanism/gaussian.hpp"
#include "vernier/numeric/ball.hpp"
#include "vernier/numeric/rounding.hpp"

namespace vernier::accounting {
namespace {

using numeric::Ball;
using numeric::Precision;

constexpr Precision fine{200};
Ball ball(double x) { return Ball::of(x, fine); }
Ball middle(const Ball& x, const Ball& y) { return times_power_of_two(x + y, -1); }

// Where a rising function of t = ln b is 0: the middle again and again, then Newton's steps, which double the digits.
// The minimum that is looked for depends on the error's square only.
Ball root(const std::function<Ball(const Ball&)>& rising, const std::function<Ball(const Ball&)>& slope) {
  Ball low = ball(-700), high = ball(400);
  for (int i = 0; i < 34; ++i) {
    const Ball t = middle(low, high);
    (less(rising(t), ball(0)) == true ? low : high) = t;
  }
  Ball t = high;
  for (int i = 0; i < 3; ++i) {
    const Ball step = rising(t) / slope(t);
    arb_t centre;
    arb_init(centre);
    arb_get_mid_arb(centre, (t - step).raw());
    t = Ball::from_raw(centre, fine);
    arb_clear(centre);
  }
  return t;
}

// The conversion written out: exp((a - 1)(a rho - epsilon)) (1 - 1/a)^a / (a - 1), at its least over a = 1 + b.
Ball log_least_delta(double rho, double epsilon) {
  const Ball r = ball(rho), e = ball(epsilon), one = ball(1);
  const auto rising = [&](const Ball& t) {
    const Ball b = exp(t);
    return (b + b + one) * r - e - log1p(one / b);
  };
  const auto slope = [&](const Ball& t) {
    const Ball b = exp(t);
    return (b + b) * r + one / (one + b);
  };
  const Ball b = exp(root(rising, slope)), a = one + b;
  return b * (a * r - e) + a * (log(b) - log1p(b)) - log(b);
}

Ball least_epsilon(double rho, double delta) {
  const Ball r = ball(rho), one = ball(1), log_delta = log(ball(delta));
  const auto rising = [&](const Ball& t) {
    const Ball b = exp(t);
    return b * b * r + log1p(b) + log_delta;
  };
  const auto slope = [&](const Ball& t) {
    const Ball b = exp(t);
    return (b + b) * b * r + b / (one + b);
  };
  const Ball b = exp(root(rising, slope)), a = one + b;
  return a * r + (a * (log(b) - log1p(b)) - log(b) - log_delta) / b;
}

using Conversion = std::function<double(double rho, double figure)>;

struct Verdict {
  int checked = 0;
  int below = 0;  // the exact infimum
  int loose = 0;  // more than 1e-9 above it
};

Verdict judge_deltas(const Conversion& delta, int count, std::uint64_t seed) {
  test::Parameters any(seed);
  Verdict verdict;
  for (int i = 0; i < count; ++i) {
    const double rho = any.log_uniform(1e-20, 1e8);
    const double epsilon = any.uniform(0, 1) < 0.1 ? 0 : rho + std::sqrt(rho) * any.log_uniform(1e-3, 50);
    const Ball exact = log_least_delta(rho, epsilon);
    if (less(exact, ball(-690)) != false) continue;
    const double found = delta(rho, epsilon);
    ++verdict.checked;
    verdict.below += less(log(ball(found)), exact) == true;
    verdict.loose += less(exact + ball(1e-9), log(ball(found))) == true;
  }
  return verdict;
}

Verdict judge_epsilons(const Conversion& epsilon, int count, std::uint64_t seed) {
  test::Parameters any(seed);
  Verdict verdict;
  for (int i = 0; i < count; ++i) {
    const double rho = any.log_uniform(1e-20, i % 3 == 0 ? 0.1 : 1e8);
    const double nearly_zero = zcdp_delta(rho, 0) * (1 - any.log_uniform(1e-9, 1));
    const double delta = i % 3 == 0 ? nearly_zero : any.log_uniform(i % 3 == 1 ? 1e-300 : 1e-4, 0.5);
    const Ball exact = least_epsilon(rho, delta);
    const double found = epsilon(rho, delta);
    ++verdict.checked;
    verdict.below += less(ball(found), exact) == true || found < 0;
    verdict.loose += found > 0 && less(exact * ball(1 + 1e-9), ball(found)) == true;
  }
  return verdict;
}

double tight_delta(double rho, double epsilon) { return zcdp_delta(rho, epsilon); }
double tight_epsilon(double rho, double delta) { return *zcdp_epsilon(rho, delta); }

void expect_tight(const Verdict& verdict) {
  EXPECT_GT(verdict.checked, 100);
  EXPECT_EQ(verdict.below, 0);
  EXPECT_EQ(verdict.loose, 0);
}

TEST(Zcdp, ConvertsToDeltaFromAboveAndTightly) { expect_tight(judge_deltas(tight_delta, 1000, 521)); }
TEST(Zcdp, ConvertsToEpsilonFromAboveAndTightly) { expect_tight(judge_epsilons(tight_epsilon, 1000, 522)); }
TEST(HeavyZcdp, ConvertsToDeltaFromAboveAndTightly) { expect_tight(judge_deltas(tight_delta, 50000, 523)); }
TEST(HeavyZcdp, ConvertsToEpsilonFromAboveAndTightly) { expect_tight(judge_epsilons(tight_epsilon, 50000, 524)); }

// The very checks above, on conversions that are rounded down instead of up.
TEST(Zcdp, IsNotMistakenForAConversionThatRoundsDown) {
  const auto down_delta = [](double rho, double epsilon) {
    return std::nextafter(exp(log_least_delta(rho, epsilon)).bounds().lower, 0.0);
  };
  const auto down_epsilon = [](double rho, double delta) {
    return std::max(std::nextafter(least_epsilon(rho, delta).bounds().lower, 0.0), 0.0);
  };
  EXPECT_GT(judge_deltas(down_delta, 200, 525).below, 50);
  EXPECT_GT(judge_epsilons(down_epsilon, 200, 526).below, 50);
}

TEST(Zcdp, IsNotMistakenForTheLooserConversion) {
  EXPECT_GT(judge_epsilons(classical_zcdp_epsilon, 200, 527).loose, 150);
  EXPECT_EQ(judge_epsilons(classical_zcdp_epsilon, 200, 527).below, 0);
}

// rho 2.63 at delta 1e-10: the same rho is published with different epsilons, by conversion.
TEST(Zcdp, GivesOneRhoTwoEpsilonsByConversion) {
  EXPECT_NEAR(classical_zcdp_epsilon(2.63, 1e-10), 2.63 + 2 * std::sqrt(2.63 * 10 * std::log(10)), 1e-12);
  EXPECT_NEAR(*zcdp_epsilon(2.63, 1e-10), 17.4306, 1e-4);
}

TEST(Zcdp, IsNeverBelowTheGaussianOfTheSameRho) {
  test::Parameters any(528);
  for (int i = 0; i < 300; ++i) {
    const double mu = any.log_uniform(1e-3, 10), epsilon = any.log_uniform(1e-3, 30);
    const auto gaussian = mechanism::GaussianMechanism::at_scale(*Sigma::of(1), *privacy::L2Sensitivity::of(mu));
    EXPECT_GE(zcdp_delta(rho_of_gaussian(mu), epsilon), gaussian.curve().delta(*privacy::Epsilon::of(epsilon)).lower);
  }
}

TEST(Zcdp, AddsWhatWasSpentOfDelta) {
  EXPECT_EQ(zcdp_delta(0.1, 2, 1e-3), numeric::add_up(zcdp_delta(0.1, 2), 1e-3));
  EXPECT_EQ(*zcdp_epsilon(0.1, 3e-6, 1e-6), *zcdp_epsilon(0.1, numeric::subtract_down(3e-6, 1e-6)));
  EXPECT_EQ(zcdp_delta(50, 1, 0.9), 1);
  const auto refused = zcdp_epsilon(0.1, 1e-6, 1e-6);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().sentence().find("above 1e-06"), std::string::npos) << refused.error().sentence();
}

TEST(Zcdp, SumsRhosUp) {
  const std::vector<ZcdpPart> parts{{0.1, 3}, {0.7, 1}};
  EXPECT_GE(sum_of_rhos(parts), 1);
  EXPECT_LE(sum_of_rhos(parts), 1 + 1e-15);
  EXPECT_GT(rho_of_pure(0.1), 0.005 * (1 - 1e-17));
  EXPECT_EQ(rho_of_pure(3), 4.5);
  EXPECT_EQ(rho_of_gaussian(0.5), 0.125);
}

TEST(Zcdp, AnswersAtTheEndsOfItsRange) {
  EXPECT_EQ(zcdp_delta(1e8, 0), 1);
  EXPECT_EQ(zcdp_delta(1e-20, 1e4), std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(*zcdp_epsilon(1, 1), 0);
  EXPECT_EQ(*zcdp_epsilon(1e-20, 0.5), 0);
  EXPECT_GT(*zcdp_epsilon(1e8, 1e-300), 1e8);
}

}  // namespace
}  // namespace vernier::accounting
