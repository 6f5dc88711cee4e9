#include <gtest/gtest.h>

#include "vernier/accounting/accountant.hpp"
#include "vernier/accounting/rdp.hpp"
#include "vernier/accounting/zcdp.hpp"
#include "vernier/ledger/terms.hpp"

namespace vernier::ledger {
namespace {

using accounting::Event;
using numeric::Rational;

Rational decimal(const char* text) { return *Rational::of_decimal(text); }
Terms terms(Accountant accountant, const char* epsilon, const char* delta) {
  return {accountant, decimal(epsilon), decimal(delta)};
}

constexpr auto add_remove = privacy::Neighbours::add_remove;

Event geometric(double scale, int sensitivity, int times) {
  return *Event::of(
      *mechanism::GeometricMechanism::at_scale(*LaplaceScale::of(scale), *privacy::IntegerSensitivity::of(sensitivity)),
      add_remove, *accounting::Times::of(times));
}
Event gaussian(double scale, int times) {
  return *Event::of(
      *mechanism::DiscreteGaussianMechanism::at_scale(*Sigma::of(scale), *privacy::IntegerSensitivity::of(1)),
      add_remove, *accounting::Times::of(times));
}
Event keys(double scale, int threshold, int groups) {
  const auto noise =
      *mechanism::GeometricMechanism::at_scale(*LaplaceScale::of(scale), *privacy::IntegerSensitivity::of(1));
  return *Event::of(*accounting::KeySelection::of(noise, threshold, groups), add_remove);
}

std::vector<Rational> price_of(const Terms& of, const std::vector<Event>& events, const char* epsilon,
                               const char* delta) {
  return *price(of, events, {decimal(epsilon), decimal(delta)});
}

const std::vector<std::pair<const char*, const char*>> budgets{{"3", "1e-6"}, {"0.1", "1e-9"}, {"10", "0.01"}};

TEST(Terms, TurnIntoTheGreatestRhoThatKeepsThePromise) {
  for (const auto& [epsilon, delta] : budgets) {
    const Terms of = terms(Accountant::zcdp, epsilon, delta);
    const double rho = *rho_of(of), half = of.delta.round_down() / 2;
    EXPECT_LE(*accounting::zcdp_epsilon(rho, half), of.epsilon.round_up() * (1 + 1e-12)) << epsilon;
    EXPECT_LE(accounting::zcdp_delta(rho, of.epsilon.round_down()), half) << epsilon;
    EXPECT_GT(accounting::zcdp_delta(rho * (1 + 1e-9), of.epsilon.round_down()), half) << epsilon;
    const accounting::Filter filter = *filter_of(of);
    EXPECT_EQ(filter.caps()[0].most, *Rational::of(rho));
    EXPECT_EQ(filter.caps()[1].most + filter.caps()[1].most, of.delta);
  }
}

TEST(Terms, TurnIntoADivergenceThatKeepsThePromise) {
  for (const auto& [epsilon, delta] : budgets) {
    const Terms of = terms(Accountant::rdp, epsilon, delta);
    const RenyiBudget budget = *renyi_budget_of(of);
    const auto delta_at = [&](double divergence) {
      return accounting::rdp_delta([&](double) { return divergence; }, of.epsilon.round_down(), {{budget.order}, false})
          .figure;
    };
    EXPECT_LE(delta_at(budget.divergence), of.delta.round_down() / 2);
    EXPECT_GT(delta_at(budget.divergence * (1 + 1e-9)), of.delta.round_down() / 2);
    EXPECT_GT(budget.divergence / budget.order, 0.9 * *rho_of(of)) << epsilon;
    EXPECT_EQ(filter_of(of)->caps().size(), 2U);
  }
}

TEST(Terms, RefuseWhatCannotBeConverted) {
  for (const Accountant one : {Accountant::zcdp, Accountant::rdp}) {
    EXPECT_FALSE(filter_of(terms(one, "1", "0")));
    EXPECT_FALSE(filter_of(terms(one, "0", "1e-6")));
  }
  EXPECT_EQ(filter_of(terms(Accountant::zcdp, "1", "0")).error().sentence,
            "the accountant zcdp needs an epsilon and a delta above 0, but they are 1 and 0; give both, or use the "
            "accountant pure");
}

TEST(Price, OfPureAndApproximateFiltersIsThePlansTotal) {
  const std::vector events{geometric(10, 1, 3)};
  EXPECT_EQ(price_of(terms(Accountant::pure, "1", "0"), events, "0.3", "0")[0], decimal("0.3"));
  const auto both = price_of(terms(Accountant::approximate, "1", "1e-6"), events, "0.29", "1e-8");
  EXPECT_EQ(both[0], decimal("0.29"));
  EXPECT_EQ(both[1], decimal("1e-8"));
}

// The plan's epsilon holds at its delta only, so a pure budget is charged the sum instead.
TEST(Price, OfAPureFilterDoesNotTrustAnEpsilonWithADelta) {
  const Terms of = terms(Accountant::pure, "1", "0");
  const Rational sum = price_of(of, {geometric(10, 1, 3)}, "0.2", "1e-8")[0];
  EXPECT_GE(sum, decimal("0.3"));
  EXPECT_LE(sum, decimal("0.3000000001"));
  EXPECT_FALSE(price(of, std::vector{gaussian(10, 1)}, {decimal("0.2"), decimal("1e-8")}));
  EXPECT_FALSE(price(of, std::vector{keys(10, 300, 1)}, {decimal("0.2"), decimal("1e-8")}));
}

TEST(Price, OfTheZcdpFilterAddsRhosAndTheChancesOfKeys) {
  const Terms of = terms(Accountant::zcdp, "3", "1e-6");
  const auto amounts = price_of(of, {geometric(10, 1, 3), gaussian(5, 2), keys(4, 50, 2)}, "1", "1e-8");
  const double rho = 3 * 0.01 / 2 + 2 * 1.0 / 50 + 2 * 0.0625 / 2;
  EXPECT_GE(amounts[0].round_up(), rho);
  EXPECT_NEAR(amounts[0].round_up(), rho, 1e-12);
  const double escape = noise::Geometric::of(*LaplaceScale::of(4))->tail(48).upper;
  EXPECT_GE(amounts[1].round_up(), 2 * escape);
  EXPECT_NEAR(amounts[1].round_up(), 2 * escape, 1e-12 * escape);
}

TEST(Price, OfTheRdpFilterIsTheDivergenceOfTheWholePlan) {
  const Terms of = terms(Accountant::rdp, "3", "1e-6");
  const double order = renyi_budget_of(of)->order;
  const auto amounts = price_of(of, {gaussian(50, 2)}, "1", "1e-8");
  EXPECT_NEAR(amounts[0].round_up(), order * 2 / 5000, 1e-8);
  EXPECT_EQ(amounts[1], Rational::of(0));
  const auto with_keys = price_of(of, {keys(4, 50, 2)}, "1", "1e-8");
  EXPECT_GT(with_keys[1], Rational::of(0));
  // A pure release never gives away more than its epsilon, where zCDP would charge order * epsilon^2 / 2.
  EXPECT_LE(price_of(of, {geometric(0.5, 1, 1)}, "1", "1e-8")[0].round_up(), 2 + 1e-9);
}

// What a filter's amounts promise is never less than what the accountant knows of the events.
TEST(Price, IsNeverBelowTheExactTotal) {
  const std::vector events{geometric(6, 1, 4), gaussian(8, 3), keys(5, 80, 2)};
  const auto total = *accounting::Accountant::of(events)->epsilon(*privacy::Delta::of(1e-6));
  for (const Accountant one : {Accountant::zcdp, Accountant::rdp}) {
    const auto amounts = price_of(terms(one, "20", "2e-6"), events, "1", "1e-6");
    const double delta = 1e-6 - amounts[1].round_up(), amount = amounts[0].round_up();
    const double epsilon = one == Accountant::zcdp
                               ? *accounting::zcdp_epsilon(amount, delta)
                               : accounting::rdp_epsilon([&](double) { return amount; }, delta,
                                                         {{renyi_budget_of(terms(one, "20", "2e-6"))->order}, false})
                                     ->figure;
    EXPECT_GE(epsilon, total.bounds.lower);
  }
}

}  // namespace
}  // namespace vernier::ledger
