#include "vernier/accounting/methods.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "support/events.hpp"
#include "vernier/accounting/zcdp.hpp"

namespace vernier::accounting {
namespace {

using test::approximate, test::discrete_gaussian, test::event, test::gaussian, test::geometric, test::key_selection,
    test::laplace, test::pure, test::replaced, test::zcdp;
using Events = std::vector<Event>;

constexpr double tightness = 1e-6;

TEST(Methods, SumPureEpsilonsExactly) {
  const Bounds found = method::pure_epsilon(Events{event(pure(0.5), 3), event(pure(0.25), 2)}).value();
  EXPECT_EQ(found, (Bounds{2, 2}));
  const Bounds sampled = method::pure_epsilon(Events{event(laplace(1e-3), 2, 0.5)}).value();
  EXPECT_NEAR(sampled.upper, 2000 + 2 * std::log(0.5), 1e-9);
  EXPECT_NEAR(sampled.lower, 2000 + 2 * std::log(0.5), 1e-9);
}

TEST(Methods, RefuseAPureEpsilonWhereALossIsUnbounded) {
  for (const Release& release : {gaussian(1), Release(discrete_gaussian(1)), zcdp(1), approximate(1, 1e-9),
                                 Release(key_selection(geometric(4), 30, 3))}) {
    const auto found = method::pure_epsilon(Events{event(pure(1)), event(release)});
    ASSERT_FALSE(found) << release.index();
    EXPECT_EQ(found.error().sentence(),
              "delta is 0, but an event gives no guarantee without a delta, so no epsilon holds; give a delta above 0");
  }
}

TEST(Methods, AddEpsilonsAndDeltas) {
  const Events events{event(approximate(0.5, 1e-6), 3), event(laplace(4), 2)};
  EXPECT_NEAR(*method::basic_epsilon(events, 3.1e-6), 2, 1e-14);
  EXPECT_FALSE(method::basic_epsilon(events, 2.9e-6));
  EXPECT_NEAR(*method::basic_delta(events, 2.01), 3e-6, 1e-20);
  EXPECT_FALSE(method::basic_delta(events, 1.99));
  EXPECT_FALSE(method::basic_epsilon(Events{event(gaussian(1))}, 0.1));
}

TEST(Methods, CountEveryCopyOfAKeySelection) {
  const KeySelection keys = key_selection(geometric(4), 90, 3);
  EXPECT_NEAR(*method::basic_epsilon(Events{event(keys, 2)}, 1e-6), 6.0 / 4, 1e-14);
  EXPECT_NEAR(*method::basic_epsilon(Events{replaced(keys, 2)}, 1e-6), 12.0 / 4, 1e-14);
}

TEST(Methods, ConvertTheSumOfRhos) {
  // 0.5 * 0.25^2 * 8 = 0.25 of Laplace noise, 0.5 * 0.25^2 * 8 of discrete Gaussian noise.
  const Events events{event(laplace(4), 8), event(discrete_gaussian(4), 8), event(zcdp(0.5))};
  EXPECT_NEAR(*method::zcdp_epsilon(events, 1e-6), *zcdp_epsilon(1, 1e-6), 1e-12);
  EXPECT_NEAR(*method::zcdp_delta(events, 4), zcdp_delta(1, 4), 1e-12 * zcdp_delta(1, 4));
  EXPECT_FALSE(method::zcdp_epsilon(events, 0));
  EXPECT_FALSE(method::zcdp_epsilon(Events{event(gaussian(4), 1, 0.5)}, 1e-6));
}

TEST(Methods, TakeASpentDeltaOffBeforeTheConversion) {
  const Events events{event(approximate(1, 1e-7), 5)};
  EXPECT_NEAR(*method::zcdp_epsilon(events, 1e-6), *zcdp_epsilon(2.5, 5e-7), 1e-5);
  EXPECT_GT(*method::zcdp_epsilon(events, 1e-6), *zcdp_epsilon(2.5, 1e-6));
  EXPECT_FALSE(method::zcdp_epsilon(events, 4e-7));
  EXPECT_FALSE(method::rdp_epsilon(events, 4e-7));
  EXPECT_GE(*method::zcdp_delta(events, 50), 4.9e-7);
  EXPECT_GE(*method::rdp_delta(events, 50), 4.9e-7);
}

// For Gaussians and zCDP statements Rényi divergences and rhos are the same thing.
TEST(Methods, AgreeOnConcentratedReleases) {
  for (const Events& events :
       {Events{event(gaussian(4), 8)}, Events{event(zcdp(0.25))}, Events{event(gaussian(4), 4), event(zcdp(0.125))}}) {
    EXPECT_NEAR(*method::rdp_epsilon(events, 1e-6), *method::zcdp_epsilon(events, 1e-6), 1e-9);
    EXPECT_NEAR(*method::rdp_delta(events, 3) / *method::zcdp_delta(events, 3), 1, 1e-9);
  }
}

TEST(Methods, TakeTheWorseDirectionOfASample) {
  // Only remove has E[e^L] = 1 + q^2 (e^(1/s^2) - 1); the Rényi divergence of order 2 must be at least that.
  const Events events{event(gaussian(0.5), 10, 0.1)};
  const double of_order_2 = 10 * std::log1p(0.01 * std::expm1(4));
  // Any figure of the Rényi accountant is at most the one of order 2, and within reach of it where 2 is nearly best.
  const double at_2 = of_order_2 + (std::log(1 / 0.05) - std::log(2)) - std::log(2);
  EXPECT_LE(*method::rdp_epsilon(events, 0.05), at_2 + 1e-9);
  EXPECT_GT(*method::rdp_epsilon(events, 0.05), 0.8 * at_2);
}

TEST(Methods, AreNeverBelowTheLossDistribution) {
  const Events events{event(approximate(0.3, 1e-8), 4), event(laplace(4), 10), event(geometric(5, 2), 7)};
  for (const double delta : {1e-7, 1e-5, 1e-2}) {
    const double lower = method::loss_epsilon(events, delta, tightness)->lower;
    for (const method::Upper& upper : {method::basic_epsilon(events, delta), method::advanced_epsilon(events, delta),
                                       method::zcdp_epsilon(events, delta), method::rdp_epsilon(events, delta)}) {
      ASSERT_TRUE(upper) << delta;
      EXPECT_GE(*upper, lower) << delta;
    }
    EXPECT_GE((*method::optimal_epsilon(events, delta))->upper, lower) << delta;
  }
  for (const double epsilon : {0.1, 1.0, 3.0}) {
    const double lower = method::loss_delta(events, epsilon, tightness)->lower;
    for (const method::Upper& upper : {method::advanced_delta(events, epsilon), method::zcdp_delta(events, epsilon),
                                       method::rdp_delta(events, epsilon)}) {
      ASSERT_TRUE(upper) << epsilon;
      EXPECT_GE(*upper, lower) << epsilon;
    }
    EXPECT_GE(method::optimal_delta(events, epsilon)->upper, lower) << epsilon;
  }
}

// Statements: enumeration and Fourier inversion share no line.
TEST(Methods, FindTheOptimumOfStatementsByTheirLossesToo) {
  for (const Events& events : {Events{event(pure(0.3), 50)}, Events{event(geometric(7), 1000)},
                               Events{event(pure(0.3), 9), event(pure(0.2), 9)},
                               Events{event(approximate(0.5, 1e-9), 30), event(pure(0.1), 20)}}) {
    for (const double delta : {1e-7, 1e-3}) {
      const Bounds optimal = method::optimal_epsilon(events, delta)->value();
      const Bounds by_loss = method::loss_epsilon(events, delta, tightness).value();
      EXPECT_LE(optimal.lower, by_loss.upper) << delta;
      EXPECT_GE(optimal.upper, by_loss.lower) << delta;
      EXPECT_LE(by_loss.upper - optimal.lower, 2e-6 * optimal.upper) << delta;
    }
    const Bounds optimal = *method::optimal_delta(events, 1.5);
    const Bounds by_loss = method::loss_delta(events, 1.5, tightness).value();
    EXPECT_LE(optimal.lower, by_loss.upper);
    EXPECT_GE(optimal.upper, by_loss.lower);
    EXPECT_LE(by_loss.upper - by_loss.lower, 1e-3 * by_loss.upper);
  }
}

// Nearly no noise: whoever is in the sample is seen, so that delta is about the rate. At high orders the law's own
// arithmetic gives up in one direction, and what is not known there must not pass for 0.
TEST(Methods, DoNotTakeWhatIsNotKnownForNothing) {
  constexpr double rate = 1e-5;
  const Events events{event(gaussian(0.01), 1, rate)};
  const method::Upper delta = method::rdp_delta(events, 0.3);
  ASSERT_TRUE(delta);
  EXPECT_GE(*delta, 0.99 * rate);
  EXPECT_GE(method::rdp_epsilon(events, rate / 2).value_or(1), 1);
}

TEST(Methods, GiveNoFigureThatIsNotFinite) {
  const Events huge{event(gaussian(1e-100, 1e100), 2)};
  EXPECT_FALSE(method::zcdp_epsilon(huge, 1e-6));
  EXPECT_FALSE(method::zcdp_delta(huge, 1));
  EXPECT_FALSE(method::rdp_epsilon(huge, 1e-6));
  EXPECT_FALSE(method::rdp_delta(huge, 1));
  EXPECT_FALSE(method::loss_epsilon(huge, 1e-6, tightness));
  EXPECT_FALSE(method::advanced_epsilon(Events{event(laplace(1))}, 0));
}

}  // namespace
}  // namespace vernier::accounting
