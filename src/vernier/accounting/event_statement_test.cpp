#include "vernier/accounting/event_statement.hpp"

#include <gtest/gtest.h>

#include "support/events.hpp"
#include "support/parameters.hpp"
#include "vernier/accounting/key_rule.hpp"
#include "vernier/numeric/ball.hpp"

namespace vernier::accounting {
namespace {

using numeric::Ball;
using test::approximate, test::discrete_gaussian, test::event, test::gaussian, test::geometric, test::key_selection,
    test::laplace, test::pure, test::replaced, test::zcdp;

Ball ball(double x) { return Ball::of(x, numeric::Precision{300}); }

void expect_around(const Bounds& bounds, const Ball& exact) {
  EXPECT_LE(bounds.lower, exact.bounds().upper);
  EXPECT_GE(bounds.upper, exact.bounds().lower);
  EXPECT_LE(bounds.upper - bounds.lower, 1e-14 * bounds.upper);
}

TEST(EventStatement, IsSensitivityOverScaleForLaplaceAndGeometricNoise) {
  expect_around(statement_of(event(laplace(3, 0.7)))->epsilon, ball(0.7) / ball(3));
  expect_around(statement_of(event(geometric(3, 7)))->epsilon, ball(7) / ball(3));
  EXPECT_EQ(statement_of(event(laplace(3)))->delta, 0);
  EXPECT_EQ(statement_of(event(laplace(3), 12))->times, 12);
}

TEST(EventStatement, IsWhatWasStated) {
  EXPECT_EQ(statement_of(event(pure(0.3)))->epsilon, (Bounds{0.3, 0.3}));
  const auto stated = statement_of(event(approximate(0.3, 1e-5), 9));
  EXPECT_EQ(stated->epsilon, (Bounds{0.3, 0.3}));
  EXPECT_EQ(stated->delta, 1e-5);
  EXPECT_EQ(stated->times, 9);
}

TEST(EventStatement, HasTheEscapeOfKeysAsDelta) {
  const KeySelection keys = key_selection(geometric(3), 40, 5);
  const auto stated = statement_of(event(keys, 2));
  expect_around(stated->epsilon, ball(1) / ball(3));
  EXPECT_EQ(stated->delta, escape_probability(keys).upper);
  EXPECT_EQ(stated->times, 10);
  EXPECT_EQ(statement_of(replaced(keys, 2))->times, 20);
  EXPECT_FALSE(statement_of(event(key_selection(discrete_gaussian(3), 40, 5))));
}

TEST(EventStatement, IsMissingWhereThereIsNoneOfItsOwn) {
  EXPECT_FALSE(statement_of(event(gaussian(3))));
  EXPECT_FALSE(statement_of(event(discrete_gaussian(3))));
  EXPECT_FALSE(statement_of(event(zcdp(3))));
}

TEST(EventStatement, IsAmplifiedBySampling) {
  test::Parameters random(71);
  for (int i = 0; i < 200; ++i) {
    const double epsilon = random.log_uniform(1e-10, 1e4), rate = random.log_uniform(1e-12, 1);
    const auto sampled = statement_of(event(approximate(epsilon, 1e-5), 1, rate));
    expect_around(sampled->epsilon, log1p(ball(rate) * expm1(ball(epsilon))));
    EXPECT_GE(sampled->delta, (ball(rate) * ball(1e-5)).bounds().lower);
    EXPECT_LE(sampled->delta, rate * 1e-5 * (1 + 1e-15));
    EXPECT_LE(sampled->epsilon.upper, epsilon);
  }
}

TEST(EventStatement, IsTheReleaseItselfForTwoPointLossesAlone) {
  EXPECT_TRUE(is_its_statement(event(pure(1))));
  EXPECT_TRUE(is_its_statement(event(approximate(1, 1e-6))));
  EXPECT_TRUE(is_its_statement(event(geometric(3))));
  EXPECT_FALSE(is_its_statement(event(geometric(3, 2))));
  EXPECT_FALSE(is_its_statement(event(laplace(3))));
  EXPECT_FALSE(is_its_statement(event(pure(1), 1, 0.5)));
  EXPECT_FALSE(is_its_statement(event(key_selection(geometric(3), 40, 5))));
  EXPECT_FALSE(is_its_statement(event(gaussian(3))));
}

TEST(EventStatement, ConcentratesAsMuchAsItsRho) {
  EXPECT_NEAR(concentrated(event(gaussian(3, 2)))->rho, 2.0 / 9, 1e-15);
  EXPECT_NEAR(concentrated(event(discrete_gaussian(3, 2)))->rho, 2.0 / 9, 1e-15);
  EXPECT_GE(concentrated(event(laplace(3, 2)))->rho, (ball(2) / ball(9)).bounds().lower);
  EXPECT_EQ(concentrated(event(zcdp(0.7), 5))->rho, 0.7);
  EXPECT_EQ(concentrated(event(zcdp(0.7), 5))->times, 5);
  EXPECT_EQ(concentrated(event(approximate(2, 1e-5)))->rho, 2);
  EXPECT_EQ(concentrated(event(approximate(2, 1e-5)))->delta, 1e-5);
  EXPECT_FALSE(concentrated(event(gaussian(3), 1, 0.5)));
}

TEST(EventStatement, ConcentratesKeySelectionWithItsEscapeApart) {
  const KeySelection keys = key_selection(discrete_gaussian(3), 40, 5);
  const auto found = concentrated(replaced(keys, 2));
  EXPECT_NEAR(found->rho, 1.0 / 18, 1e-16);
  EXPECT_EQ(found->delta, escape_probability(keys).upper);
  EXPECT_EQ(found->times, 20);
  EXPECT_NEAR(concentrated(event(key_selection(geometric(3), 40, 5)))->rho, 1.0 / 18, 1e-16);
}

TEST(EventStatement, CountsTheCopiesOfALoss) {
  EXPECT_EQ(copies(event(laplace(3), 7)), 7);
  EXPECT_EQ(copies(event(key_selection(geometric(3), 40, 5), 7)), 35);
  EXPECT_EQ(copies(replaced(key_selection(geometric(3), 40, 1'000'000), 1'000'000'000)), 2e15);
}

}  // namespace
}  // namespace vernier::accounting
