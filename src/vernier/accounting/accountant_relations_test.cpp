#include <algorithm>
#include <cmath>
#include <ctime>
#include <string>

#include <gtest/gtest.h>

#include "support/events.hpp"
#include "support/exact_gaussian.hpp"
#include "vernier/accounting/accountant.hpp"
#include "vernier/accounting/key_rule.hpp"
#include "vernier/accounting/zcdp.hpp"

// What the accountant promises of sampling, zCDP statements, key selection and the far ends of its parameters.
namespace vernier::accounting {
namespace {

using privacy::Delta;
using privacy::Epsilon;
using test::approximate, test::delta_of, test::discrete_gaussian, test::epsilon_of, test::event, test::gaussian,
    test::geometric, test::key_selection, test::laplace, test::pure, test::replaced, test::zcdp;
using Events = std::vector<Event>;

TEST(Accountant, SamplesEveryoneAtRateOne) {
  for (const Release& release : {laplace(3), gaussian(3), Release(geometric(3, 2)), Release(discrete_gaussian(3))}) {
    const Events whole{event(release, 20)}, nearly{event(release, 20, std::nextafter(1, 0))};
    const Bounds all = epsilon_of(whole, 1e-6).bounds, most = epsilon_of(nearly, 1e-6).bounds;
    EXPECT_LE(all.lower, most.upper * (1 + 1e-12)) << release.index();
    EXPECT_GE(all.upper, most.lower) << release.index();
    EXPECT_LE(most.upper - all.lower, 2e-5 * all.upper) << release.index();
  }
}

TEST(Accountant, AmplifiesBySampling) {
  for (const Release& release :
       {laplace(1), gaussian(1), Release(geometric(1)), Release(discrete_gaussian(1)), pure(1), approximate(1, 1e-8)}) {
    double before = epsilon_of({event(release, 20)}, 1e-6).bounds.lower;
    for (const double rate : {0.3, 0.1, 0.01}) {
      const Bounds found = epsilon_of({event(release, 20, rate)}, 1e-6).bounds;
      EXPECT_LT(found.upper, before) << release.index() << " " << rate;
      before = found.lower;
    }
  }
}

// Under replace the sensitivities are meant for it, and what is composed is the same pair.
TEST(Accountant, ComposesReplacedUnitsAsItsSensitivitiesSay) {
  for (const Release& release : {laplace(3), gaussian(3), Release(geometric(3, 2)), Release(discrete_gaussian(3)),
                                 pure(0.3), approximate(0.3, 1e-9), zcdp(0.1)}) {
    EXPECT_EQ(epsilon_of({event(release, 9)}, 1e-6).bounds, epsilon_of({replaced(release, 9)}, 1e-6).bounds);
  }
  const KeySelection keys = key_selection(geometric(4), 90, 2), twice = key_selection(geometric(4), 90, 4);
  EXPECT_EQ(epsilon_of({replaced(keys)}, 1e-6).bounds, epsilon_of({event(twice)}, 1e-6).bounds);
}

TEST(Accountant, BoundsZcdpByItsGaussianAndItsConversion) {
  for (const double mu : {0.25, 1.0, 4.0}) {
    const Events alone{event(zcdp(mu * mu / 2))};
    for (const double delta : {1e-100, 1e-30, 1e-6, 1e-2}) {
      const Bounds found = epsilon_of(alone, delta).bounds;
      EXPECT_FALSE(test::is_private(found.lower * (1 - 1e-15), delta, 1, mu)) << mu << " " << delta;
      EXPECT_TRUE(test::is_private(found.lower * (1 + 1e-5), delta, 1, mu)) << mu << " " << delta;
      EXPECT_LE(found.upper, zcdp_epsilon(mu * mu / 2, delta).value() * (1 + 1e-4)) << mu << " " << delta;
      EXPECT_LT(found.lower, found.upper) << mu << " " << delta;
    }
    const Bounds found = delta_of(alone, mu * mu / 2 + 3 * mu).bounds;
    EXPECT_LE(found.upper, zcdp_delta(mu * mu / 2, mu * mu / 2 + 3 * mu));
    EXPECT_NEAR(found.lower, test::exact_gaussian_delta(mu * mu / 2 + 3 * mu, 1, mu).nearest(), 1e-4 * found.lower);
  }
}

TEST(Accountant, MixesZcdpWithOthers) {
  const Events others{event(laplace(10), 10), event(gaussian(1), 20, 0.01)};
  Events all = others;
  all.push_back(event(zcdp(0.1)));
  const Bounds found = epsilon_of(all, 1e-6).bounds;
  Events as_gaussian = others;
  as_gaussian.push_back(event(gaussian(std::sqrt(5))));  // its rho is 0.1 but for rounding
  EXPECT_NEAR(found.lower, epsilon_of(as_gaussian, 1e-6).bounds.lower, 1e-5 * found.lower);
  EXPECT_GT(found.upper, epsilon_of(as_gaussian, 1e-6).bounds.lower);
  EXPECT_LE(found.upper, epsilon_of({event(zcdp(0.1))}, 5e-7).bounds.upper + epsilon_of(others, 5e-7).bounds.upper);
  EXPECT_LE(found.upper, 1.1 * found.lower);
}

TEST(Accountant, LetsKeysEscapeWhateverEpsilonIs) {
  for (const KeySelection& keys : {key_selection(geometric(2), 30, 3), key_selection(discrete_gaussian(4), 30, 3)}) {
    const double escape = escape_probability(keys).upper;
    const Bounds added = delta_of({event(keys, 2)}, 1e4).bounds, exchanged = delta_of({replaced(keys, 2)}, 1e4).bounds;
    EXPECT_NEAR(added.upper, -std::expm1(6 * std::log1p(-escape)), 1e-9 * added.upper);
    EXPECT_NEAR(exchanged.upper, -std::expm1(12 * std::log1p(-escape)), 1e-9 * exchanged.upper);
    EXPECT_LE(added.lower, added.upper);
    const Bounds epsilon = epsilon_of({event(keys)}, 0.01).bounds;
    EXPECT_GT(epsilon.lower, 0);
    EXPECT_LE(epsilon.upper - epsilon.lower, 0.01 * epsilon.upper);
    EXPECT_LT(epsilon.upper, epsilon_of({replaced(keys)}, 0.01).bounds.lower);
  }
}

TEST(Accountant, CertifiesTheSmallestDeltas) {
  const Events lists[] = {{event(laplace(20), 100)},
                          {event(discrete_gaussian(20), 100)},
                          {event(gaussian(1), 1000, 0.01)},
                          {event(geometric(9, 2), 50), event(gaussian(20), 50)},
                          {event(pure(0.1), 40), event(laplace(9))}};
  for (const Events& events : lists) {
    double before = 0;
    for (const double delta : {1e-6, 1e-30, 1e-100, 1e-300}) {
      const Bounds found = epsilon_of(events, delta).bounds;
      EXPECT_GE(found.upper, before) << delta;
      EXPECT_LE(found.upper - found.lower, 1e-5 * found.upper) << delta;
      before = found.lower;
    }
  }
}

// Ends in order, figures that are numbers, or one sentence; and soon.
void expect_orderly(const Events& events) {
  const Accountant accountant = *Accountant::of(events);
  const std::string which = "release " + std::to_string(events.front().release().index()) + " of " +
                            std::to_string(events.size()) + " times " + std::to_string(events.front().times().value());
  for (const double delta : {0.0, 1e-300, 1e-6, 0.5}) {
    const std::clock_t start = std::clock();
    const auto found = accountant.epsilon(*Delta::of(delta));
    EXPECT_LT(std::clock() - start, 10 * CLOCKS_PER_SEC) << which << " " << delta;
    if (!found) {
      EXPECT_GT(found.error().sentence().size(), 20) << which << " " << delta;
      continue;
    }
    EXPECT_TRUE(found->bounds.lower >= 0 && found->bounds.lower <= found->bounds.upper) << which << " " << delta;
    EXPECT_TRUE(std::isfinite(found->bounds.upper)) << which << " " << delta;
  }
  for (const double epsilon : {1e-10, 1.0, 1e4}) {
    const std::clock_t start = std::clock();
    const auto found = accountant.delta(*Epsilon::of(epsilon));
    EXPECT_LT(std::clock() - start, 10 * CLOCKS_PER_SEC) << which << " " << epsilon;
    if (!found) continue;
    EXPECT_TRUE(found->bounds.lower >= 0 && found->bounds.lower <= found->bounds.upper && found->bounds.upper <= 1)
        << which << " " << epsilon;
  }
}

TEST(SlowAccountant, AnswersOrRefusesAtTheFarEnds) {
  for (const Event& far :
       {event(gaussian(1e-100, 1e100), 2), event(gaussian(1e100, 1e-100), 2), event(pure(1e4), 1'000'000'000),
        event(pure(1e-10), 2), event(approximate(1e4, 0.5), 9), event(zcdp(1e8), 1'000'000'000), event(zcdp(1e-20)),
        event(laplace(1e-5), 2, 0.5), event(key_selection(discrete_gaussian(3), 1 << 30, 3))}) {
    expect_orderly({far});
  }
  expect_orderly({event(gaussian(1e-100, 1e100), 2), event(laplace(2))});
  expect_orderly({event(laplace(1e-5), 2, 0.5), event(laplace(2))});
}

TEST(HeavyAccountant, AnswersOrRefusesAtTheFarEndsBesideOthers) {
  for (const Event& far :
       {event(gaussian(1e100, 1e-100), 2), event(gaussian(1e-3), 2), event(laplace(1e100, 1e-100), 2),
        event(laplace(0.01), 2), event(geometric(0.01), 1'000'000'000), event(geometric(1e6, 3), 7),
        event(pure(1e4), 1'000'000'000), event(zcdp(1e8), 1'000'000'000), event(zcdp(1e-20)),
        event(key_selection(geometric(2), 1, 1)), event(key_selection(discrete_gaussian(3), 1 << 30, 1'000'000))}) {
    expect_orderly({far});
    expect_orderly({far, event(laplace(2))});
  }
}

}  // namespace
}  // namespace vernier::accounting
