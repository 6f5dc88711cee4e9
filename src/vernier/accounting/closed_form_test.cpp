#include "vernier/accounting/closed_form.hpp"

#include <gtest/gtest.h>

#include "support/events.hpp"
#include "support/exact_gaussian.hpp"
#include "support/parameters.hpp"
#include "vernier/accounting/methods.hpp"
#include "vernier/numeric/ball.hpp"

namespace vernier::accounting {
namespace {

using privacy::Delta;
using privacy::Epsilon;
using test::approximate, test::choice, test::discrete_gaussian, test::event, test::gaussian, test::geometric,
    test::key_selection, test::laplace, test::pure, test::zcdp;

constexpr double tightness = 1e-6;

std::optional<ClosedForm> form_of(const std::vector<Event>& events) { return ClosedForm::of(events); }

TEST(ClosedForm, ExistsForOneReleaseAndForGaussians) {
  EXPECT_TRUE(form_of({event(laplace(2))}));
  EXPECT_TRUE(form_of({event(laplace(2), 1, 0.5)}));
  EXPECT_TRUE(form_of({event(gaussian(2), 9), event(gaussian(3))}));
  EXPECT_TRUE(form_of({event(choice(2))}));
  EXPECT_FALSE(form_of({event(choice(2), 2)}));
  EXPECT_FALSE(form_of({event(laplace(2), 2)}));
  EXPECT_FALSE(form_of({event(gaussian(2), 2, 0.5)}));
  EXPECT_FALSE(form_of({event(gaussian(2)), event(laplace(2))}));
  for (const Release& release : {pure(1), approximate(1, 1e-6), zcdp(1), Release(key_selection(geometric(2), 9, 1))}) {
    EXPECT_FALSE(form_of({event(release)})) << release.index();
  }
}

// mu^2 = 1/16 + 3 * 4 + 32/16 = 3.75^2.
TEST(ClosedForm, OfGaussiansIsTheGaussianOfTheirSquares) {
  const auto form = form_of({event(gaussian(4)), event(gaussian(1, 2), 3), event(gaussian(4, 1), 32)});
  ASSERT_TRUE(form);
  for (const double epsilon : {1e-3, 1.0, 7.0, 40.0}) {
    const Bounds found = form->delta(*Epsilon::of(epsilon));
    const Bounds exact = test::exact_gaussian_delta(epsilon, 1, 3.75).bounds();
    EXPECT_LE(found.lower, exact.upper) << epsilon;
    EXPECT_GE(found.upper, exact.lower) << epsilon;
    EXPECT_LE(found.upper - found.lower, 1e-12 * found.upper) << epsilon;
  }
}

TEST(ClosedForm, OfGaussiansAnswersEpsilonAsBallsDo) {
  test::Parameters random(81);
  for (int i = 0; i < 60; ++i) {
    const double mu = random.log_uniform(1e-3, 50), delta = random.log_uniform(1e-100, 0.4);
    const auto form = form_of({event(gaussian(1, mu), 4)});  // sqrt(4) mu is a double again
    const Bounds found = form->epsilon(*Delta::of(delta)).value();
    if (found.upper > 0) {
      EXPECT_FALSE(test::is_not_private(found.upper, delta, 1, 2 * mu)) << mu << " " << delta;
    }
    if (found.lower > 0) {
      EXPECT_FALSE(test::is_private(found.lower * (1 - 1e-15), delta, 1, 2 * mu)) << mu << " " << delta;
    }
    EXPECT_LE(found.upper - found.lower, 1e-11 * found.upper) << mu << " " << delta;
  }
}

// Two ways that share no line: the closed curve, and the law of the loss by Fourier inversion.
TEST(ClosedForm, OfOneReleaseAgreesWithItsLossDistribution) {
  for (const Event& one : {event(laplace(2)), event(laplace(2), 1, 0.3), event(gaussian(0.7)),
                           event(gaussian(0.7), 1, 0.3), event(geometric(3, 4)), event(geometric(3, 4), 1, 0.3),
                           event(discrete_gaussian(3, 2)), event(discrete_gaussian(3, 2), 1, 0.3)}) {
    const std::vector<Event> events{one};
    const auto form = form_of(events);
    for (const double delta : {1e-9, 1e-4, 1e-2}) {
      const Bounds closed = form->epsilon(*Delta::of(delta)).value();
      const Bounds by_loss = method::loss_epsilon(events, delta, tightness).value();
      EXPECT_LE(closed.lower, by_loss.upper) << one.release().index() << " " << delta;
      EXPECT_GE(closed.upper, by_loss.lower) << one.release().index() << " " << delta;
      EXPECT_LE(by_loss.upper - by_loss.lower, 5e-4 * by_loss.upper) << one.release().index() << " " << delta;
    }
    const Bounds closed = form->delta(*Epsilon::of(0.4)), by_loss = method::loss_delta(events, 0.4, tightness).value();
    EXPECT_LE(closed.lower, by_loss.upper) << one.release().index();
    EXPECT_GE(closed.upper, by_loss.lower) << one.release().index();
    EXPECT_LE(by_loss.upper - by_loss.lower, 5e-4 * by_loss.upper) << one.release().index();
  }
}

// The envelope (sqrt(e^E) - sqrt(e^x))^2 / (e^E - 1) itself, in balls.
numeric::Ball envelope(double greatest, double at) {
  const numeric::Precision precision{512};
  const auto half = [&](double x) { return exp(times_power_of_two(numeric::Ball::of(x, precision), -1)); };
  const numeric::Ball rise = half(greatest) - half(at);
  return rise * rise / expm1(numeric::Ball::of(greatest, precision));
}

TEST(ClosedForm, OfOneChoiceIsItsEnvelopeBothWays) {
  test::Parameters random(82);
  for (int i = 0; i < 2000; ++i) {
    const double greatest = random.log_uniform(1e-6, 900), at = greatest * random.uniform(0.001, 1);
    const auto form = form_of({event(choice(greatest))});
    const Bounds found = form->delta(*Epsilon::of(at)), exact = envelope(greatest, at).bounds();
    EXPECT_LE(found.lower, exact.upper) << greatest << " " << at;
    EXPECT_GE(found.upper, exact.lower) << greatest << " " << at;
    EXPECT_LE(found.upper - found.lower, 1e-12 * found.upper) << greatest << " " << at;
    const double delta = random.log_uniform(1e-200, 0.49);
    const Bounds epsilon = form->epsilon(*Delta::of(delta)).value();
    EXPECT_LE(epsilon.upper, greatest);
    EXPECT_LE(envelope(greatest, epsilon.upper).bounds().lower, delta) << greatest << " " << delta;
    if (epsilon.lower > 0) {
      EXPECT_GE(envelope(greatest, epsilon.lower * (1 - 1e-15)).bounds().upper, delta * (1 - 1e-14))
          << greatest << " " << delta;
    }
    EXPECT_LE(epsilon.upper - epsilon.lower, 1e-12 * epsilon.upper) << greatest << " " << delta;
  }
  EXPECT_EQ(form_of({event(choice(2))})->epsilon(Delta::zero())->upper, 2);
  EXPECT_EQ(form_of({event(choice(2))})->delta(*Epsilon::of(2)).upper, 0);
}

TEST(ClosedForm, RefusesDeltaZeroForGaussians) {
  const auto form = form_of({event(gaussian(4), 3)});
  const auto found = form->epsilon(Delta::zero());
  ASSERT_FALSE(found);
  EXPECT_NE(found.error().sentence().find("delta 0"), std::string::npos);
}

TEST(ClosedForm, LeavesOutWhatNoCurveTakes) {
  EXPECT_FALSE(form_of({event(gaussian(1e-100, 1e100), 2)}));
  EXPECT_FALSE(form_of({event(gaussian(1e100, 1e-100), 2)}));
}

}  // namespace
}  // namespace vernier::accounting
