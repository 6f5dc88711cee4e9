#include "vernier/accounting/accountant.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "support/events.hpp"
#include "support/exact_gaussian.hpp"
#include "support/parameters.hpp"
#include "vernier/accounting/composition.hpp"
#include "vernier/accounting/zcdp.hpp"

namespace vernier::accounting {
namespace {

using privacy::Delta;
using privacy::Epsilon;
using privacy::Neighbours;
using test::approximate, test::delta_of, test::discrete_gaussian, test::epsilon_of, test::event, test::gaussian,
    test::geometric, test::key_selection, test::laplace, test::pure, test::replaced, test::zcdp;
using Events = std::vector<Event>;

Events joined(Events a, const Events& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Events mixed() {
  return {event(approximate(0.2, 1e-8), 3),  event(gaussian(10), 20),
          event(discrete_gaussian(8, 2), 5), event(laplace(10), 15),
          event(geometric(9, 2), 10),        event(gaussian(1), 50, 0.01),
          event(laplace(1), 50, 0.01),       event(key_selection(discrete_gaussian(5), 60, 2))};
}

std::string refusal(const Events& events, double delta) {
  const auto found = Accountant::of(events)->epsilon(*Delta::of(delta));
  return found ? "answered " + std::to_string(found->bounds.upper) : found.error().sentence();
}

TEST(Accountant, RefusesNothingAndMixedNeighbours) {
  EXPECT_EQ(Accountant::of({}).error().sentence(), "there is no event to account for; give at least one");
  EXPECT_EQ(Accountant::of({event(laplace(1)), replaced(laplace(1))}).error().sentence(),
            "the events have different neighbours, add-remove and replace, and no guarantee covers both; state all of "
            "them under one relation, with the sensitivities that it gives");
  EXPECT_EQ(Accountant::of({replaced(laplace(1))})->neighbours(), Neighbours::replace);
  EXPECT_EQ(Accountant::of(mixed())->events().size(), mixed().size());
}

TEST(Accountant, KnowsItsMethodsByName) {
  EXPECT_EQ(name_of(Method::basic), "basic");
  EXPECT_EQ(name_of(Method::loss_distribution), "loss-distribution");
  EXPECT_EQ(name_of(Method::closed_form), "closed-form");
}

TEST(Accountant, TakesATightnessWithinReason) {
  EXPECT_EQ(Tightness::of(1e-9)->value(), 1e-9);
  EXPECT_EQ(Tightness::usual().value(), 1e-5);
  for (const double value : {0.0, 9e-10, 0.11, std::nan("")}) EXPECT_FALSE(Tightness::of(value)) << value;
}

// sqrt(k) / 20 is exact for k = 1, 100 and 10,000, as sensitivity and scale. The certified answer is compared with the
// definition in balls on both sides.
TEST(Accountant, FindsTheExactEpsilonOfGaussians) {
  const struct {
    std::int64_t times;
    double root, published;
  } cases[] = {{1, 1, 0.189213}, {100, 10, 2.254085}, {10'000, 100, 35.566344}};
  for (const auto& one : cases) {
    const Guarantee found = epsilon_of({event(gaussian(20), one.times)}, 1e-6);
    EXPECT_EQ(found.method, Method::closed_form);
    EXPECT_FALSE(test::is_not_private(found.bounds.upper, 1e-6, 20, one.root));
    EXPECT_FALSE(test::is_private(found.bounds.lower * (1 - 1e-15), 1e-6, 20, one.root));
    EXPECT_LE(found.bounds.upper - found.bounds.lower, 1e-12 * found.bounds.upper);
    EXPECT_NEAR(found.bounds.upper, one.published, 1e-6);
  }
}

TEST(Accountant, CountsOneByOneAsItCountsTimes) {
  for (const Release& release : {laplace(20), gaussian(20), Release(geometric(20)), Release(discrete_gaussian(20, 3)),
                                 pure(0.05), approximate(0.05, 1e-9), zcdp(1e-3)}) {
    const Guarantee listed = epsilon_of(Events(300, event(release)), 1e-6),
                    counted = epsilon_of({event(release, 300)}, 1e-6);
    EXPECT_EQ(listed.method, counted.method) << release.index();
    EXPECT_NEAR(listed.bounds.lower, counted.bounds.lower, 1e-12 * counted.bounds.lower) << release.index();
    EXPECT_NEAR(listed.bounds.upper, counted.bounds.upper, 1e-12 * counted.bounds.upper) << release.index();
  }
}

TEST(Accountant, AnswersForThousandsOfDifferentEvents) {
  test::Parameters random(101);
  Events events;
  for (int i = 0; i < 2000; ++i) {
    const double scale = random.uniform(50, 500);
    events.push_back(event(i % 2 == 0 ? laplace(scale) : Release(geometric(scale, 2))));
  }
  const Guarantee found = epsilon_of(events, 1e-6);
  EXPECT_EQ(found.method, Method::loss_distribution);
  EXPECT_LE(found.bounds.upper - found.bounds.lower, 1e-5 * found.bounds.upper);
  const Accountant accountant = *Accountant::of(events);
  for (const MethodFigure& figure : accountant.epsilons(*Delta::of(1e-6))) {
    if (!figure.upper) continue;
    EXPECT_GE(*figure.upper, found.bounds.lower) << name_of(figure.method);
  }
}

TEST(Accountant, GivesAtLeastWhatEachPartOfAListGives) {
  const double delta = 1e-6;
  const Guarantee whole = epsilon_of(mixed(), delta);
  EXPECT_EQ(whole.method, Method::loss_distribution);
  EXPECT_LE(whole.bounds.upper - whole.bounds.lower, 1e-5 * whole.bounds.upper);
  for (std::size_t left_out = 0; left_out < mixed().size(); ++left_out) {
    Events rest = mixed();
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(left_out));
    EXPECT_GE(whole.bounds.upper, epsilon_of(rest, delta).bounds.lower) << left_out;
    EXPECT_GE(delta_of(mixed(), 2).bounds.upper, delta_of(rest, 2).bounds.lower) << left_out;
  }
}

TEST(Accountant, GivesAtMostWhatBasicCompositionGives) {
  const Events first{event(laplace(3), 2), event(gaussian(4), 2)},
      second{event(geometric(5, 2), 3), event(gaussian(1), 9, 0.1)};
  const double sum = epsilon_of(first, 4e-7).bounds.upper + epsilon_of(second, 6e-7).bounds.upper;
  EXPECT_LE(epsilon_of(joined(first, second), 1e-6).bounds.lower, sum);
  EXPECT_LE(epsilon_of(joined(first, second), 1e-6).bounds.upper, sum * (1 + 1e-6));
}

TEST(Accountant, AnswersBothQuestionsAlike) {
  for (const Events& events : {mixed(), Events{event(gaussian(5), 9)}, Events{event(laplace(5), 9)},
                               Events{event(pure(0.2), 20)}, Events{event(gaussian(1), 100, 0.02)}}) {
    for (const double delta : {1e-7, 1e-3}) {
      const Bounds epsilon = epsilon_of(events, delta).bounds;
      EXPECT_LE(delta_of(events, epsilon.upper).bounds.lower, delta);
      EXPECT_LE(delta_of(events, epsilon.upper * (1 + 1e-5)).bounds.upper, delta);
      EXPECT_GE(delta_of(events, epsilon.lower).bounds.upper, delta);
      EXPECT_GE(delta_of(events, epsilon.lower * (1 - 1e-5)).bounds.lower, delta);
    }
  }
}

TEST(Accountant, ProvesNothingBelowItsLowerEndByAnyMethod) {
  for (const Events& events : {mixed(), Events{event(laplace(20), 100)}, Events{event(approximate(0.1, 1e-9), 50)},
                               Events{event(zcdp(0.3)), event(pure(0.5))}, Events{event(discrete_gaussian(20), 100)}}) {
    const Accountant accountant = *Accountant::of(events);
    const double lower = epsilon_of(events, 1e-6).bounds.lower, upper = epsilon_of(events, 1e-6).bounds.upper;
    int answers = 0;
    for (const MethodFigure& figure : accountant.epsilons(*Delta::of(1e-6))) {
      if (!figure.upper) continue;
      ++answers;
      EXPECT_GE(*figure.upper, lower) << name_of(figure.method);
      EXPECT_GE(*figure.upper, upper * (1 - 1e-5)) << name_of(figure.method);  // the answer is the best of them
    }
    EXPECT_GE(answers, 2);
    const double least = delta_of(events, 1.5).bounds.lower;
    for (const MethodFigure& figure : accountant.deltas(*Epsilon::of(1.5))) {
      if (!figure.upper) continue;
      EXPECT_GE(*figure.upper, least) << name_of(figure.method);
    }
  }
}

TEST(Accountant, ListsEveryMethodInItsOrder) {
  const Accountant accountant = *Accountant::of({event(pure(0.5))});
  const auto epsilons = accountant.epsilons(*Delta::of(1e-6));
  const auto deltas = accountant.deltas(*Epsilon::of(1));
  ASSERT_EQ(epsilons.size(), 7);
  ASSERT_EQ(deltas.size(), 7);
  for (std::size_t i = 0; i < 7; ++i) {
    EXPECT_EQ(static_cast<std::size_t>(epsilons[i].method), i);
    EXPECT_EQ(static_cast<std::size_t>(deltas[i].method), i);
  }
}

TEST(Accountant, ChoosesTheExactMethodWhereThereIsOne) {
  EXPECT_EQ(epsilon_of({event(laplace(3))}, 1e-6).method, Method::closed_form);
  EXPECT_EQ(epsilon_of({event(gaussian(1), 1, 0.1)}, 1e-6).method, Method::closed_form);
  EXPECT_EQ(epsilon_of({event(pure(0.2), 30)}, 1e-6).method, Method::optimal);
  EXPECT_EQ(epsilon_of({event(geometric(20), 30)}, 1e-6).method, Method::optimal);
  EXPECT_EQ(epsilon_of({event(laplace(3), 2)}, 0).method, Method::basic);
  EXPECT_EQ(epsilon_of({event(laplace(3), 2)}, 1e-6).method, Method::loss_distribution);
  EXPECT_EQ(delta_of({event(pure(0.2), 30)}, 1).method, Method::optimal);
}

TEST(Accountant, SumsPureEpsilonsAtDeltaZero) {
  const Bounds found = epsilon_of({event(laplace(4), 3), event(pure(0.5)), event(geometric(8, 2))}, 0).bounds;
  EXPECT_NEAR(found.lower, 1.5, 1e-15);
  EXPECT_NEAR(found.upper, 1.5, 1e-15);
  EXPECT_LE(found.lower, found.upper);
}

TEST(Accountant, RefusesDeltaZeroWithoutAPureGuarantee) {
  const std::string sentence =
      "delta is 0, but an event gives no guarantee without a delta, so no epsilon holds; give a delta above 0";
  EXPECT_EQ(refusal({event(gaussian(4))}, 0), sentence);
  EXPECT_EQ(refusal({event(gaussian(4), 3)}, 0), sentence);
  EXPECT_EQ(refusal({event(laplace(4)), event(gaussian(4))}, 0), sentence);
  EXPECT_EQ(refusal({event(approximate(1, 1e-6))}, 0), sentence);
}

TEST(Accountant, RefusesADeltaThatFailuresExhaust) {
  const Events events{event(approximate(1, 1e-6)), event(laplace(4))};
  EXPECT_NE(refusal(events, 9e-7).find("a release gives everything away, so no epsilon holds; choose a larger delta"),
            std::string::npos);
  EXPECT_NE(refusal(events, std::nextafter(8.422e-7, 0)).find("delta is 8.422e-07, but"), std::string::npos)
      << "as it was written, before it was rounded down";
  EXPECT_EQ(epsilon_of(events, 1e-6).bounds.upper, 1.25);  // all of it goes to the failure
  EXPECT_EQ(refusal({event(approximate(1, 1e-6), 2)}, std::nextafter(1e-6, 0)),
            "delta must be at least 2e-06, the chance that one of the statements fails, but it is 1e-06; choose a "
            "larger delta");
  EXPECT_NE(refusal({event(key_selection(geometric(2), 20, 3))}, 1e-6).find("gives everything away"),
            std::string::npos);
}

// The advice can be taken: no delta above 0.5 is stated anywhere.
TEST(Accountant, AdvisesADeltaThatCanBeStated) {
  const std::string advice = "; ask for delta at an epsilon, since none so large can be stated";
  EXPECT_EQ(epsilon_of({event(approximate(1, 0.5))}, 0.5).bounds.upper, 1);
  for (const Events& events :
       {Events{event(approximate(1, 0.3), 2)}, Events{event(approximate(1, 0.5)), event(laplace(4))}}) {
    EXPECT_TRUE(refusal(events, 0.4).ends_with(advice)) << refusal(events, 0.4);
    EXPECT_GE(delta_of(events, 1).bounds.lower, 0.5);
  }
}

TEST(Accountant, CountsTheDeltasOfStatements) {
  const Bounds found = delta_of({event(approximate(0.5, 1e-4), 3), event(laplace(4))}, 100).bounds;
  EXPECT_NEAR(found.lower, 1 - std::pow(1 - 1e-4, 3), 1e-15);
  EXPECT_NEAR(found.upper, 1 - std::pow(1 - 1e-4, 3), 1e-15);
  const double with = epsilon_of({event(approximate(0.5, 9e-7), 1), event(laplace(4), 5)}, 1e-6).bounds.lower;
  const double without = epsilon_of({event(pure(0.5), 1), event(laplace(4), 5)}, 1e-6).bounds.upper;
  EXPECT_GT(with, without);
}

}  // namespace
}  // namespace vernier::accounting
