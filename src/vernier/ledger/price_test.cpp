#include "vernier/ledger/price.hpp"

#include <gtest/gtest.h>

namespace vernier::ledger {
namespace {

using accounting::Event;
using numeric::Rational;

Rational decimal(const char* text) { return *Rational::of_decimal(text); }
Terms terms(Accountant accountant, const char* epsilon, const char* delta) {
  return {accountant, decimal(epsilon), decimal(delta)};
}
Rules rules(Accountant accountant, const char* epsilon, const char* delta) {
  return *rules_of(terms(accountant, epsilon, delta));
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

// In decimals again.
Statement stated(const Rules& of, const Cost& cost) {
  return {of.quanta.epsilon(cost.epsilon), of.quanta.delta(cost.delta)};
}
Statement price_of(const Rules& of, const std::vector<Event>& events, const char* epsilon, const char* delta) {
  return stated(of, price(of, events, {decimal(epsilon), decimal(delta)})->total);
}

const Rules usual = rules(Accountant::zcdp, "3", "1e-6");
Price geometric_study() { return *price(usual, std::vector{geometric(1, 1, 1)}, {decimal("1"), decimal("0")}); }
Price gaussian_study() { return *price(usual, std::vector{gaussian(5.5, 1)}, {decimal("1"), decimal("1e-7")}); }
Balance untouched() { return {usual.quanta.budget(), false, usual.quanta.budget()}; }
Balance without(const char* epsilon) {
  Balance balance = untouched();
  balance.left = balance.left - usual.quanta.spend(decimal(epsilon), decimal("0"));
  return balance;
}

// Takes the study as often as it can be had.
int granted(const Price& study) {
  Balance balance = untouched();
  int count = 0;
  for (; count < 100; ++count) {
    const Result<Offer> offer = offer_of(usual, balance, study);
    if (!offer) break;
    balance.left = balance.left - offer->cost;
    balance.is_open = balance.is_open || offer->manner == Manner::divergence;
  }
  return count;
}

// How many such studies fit, by the quotients.
std::int64_t room_left(const Price& study) {
  return (usual.quanta.budget().epsilon - usual.opening.epsilon) / study.divergence->epsilon;
}
std::int64_t times_by_total(const Price& study) { return usual.quanta.budget().epsilon / study.total.epsilon; }

TEST(Terms, ReadBackAsTheyWereWritten) {
  Terms some = terms(Accountant::rdp, "3.25", "1e-300");
  some.neighbours = privacy::Neighbours::replace;
  EXPECT_EQ(*terms_in(canonical(some, "00ff")), some);
  for (const char* other : {"", "vernier-ledger 2",
                            "vernier-ledger 3 accountant pure epsilon 1 delta 0 neighbours "
                            "add-remove id a"}) {
    EXPECT_FALSE(terms_in(other)) << other;
  }
  EXPECT_FALSE(terms_in(canonical(some, "00ff") + " "));
}

TEST(Terms, RefuseWhatCannotBeConverted) {
  for (const Accountant one : {Accountant::zcdp, Accountant::rdp}) {
    EXPECT_FALSE(rules_of(terms(one, "1", "0")));
    EXPECT_FALSE(rules_of(terms(one, "0", "1e-6")));
  }
  EXPECT_EQ(rules_of(terms(Accountant::zcdp, "1", "0")).error().sentence(),
            "the accountant zcdp needs an epsilon and a delta above 0, but they are 1 and 0; give both, or use the "
            "accountant pure");
}

TEST(Price, OfPureAndApproximateFiltersIsThePlansTotal) {
  const std::vector events{geometric(10, 1, 3)};
  EXPECT_EQ(price_of(rules(Accountant::pure, "1", "0"), events, "0.3", "0").epsilon, decimal("0.3"));
  const Statement both = price_of(rules(Accountant::approximate, "1", "1e-6"), events, "0.29", "1e-8");
  EXPECT_EQ(both.epsilon, decimal("0.29"));
  EXPECT_EQ(both.delta, decimal("1e-8"));
}

TEST(Statement, HasNoDeltaWhereTheNoiseNeedsNone) {
  const auto without = [](const Event& event, const char* epsilon) {
    return without_delta(std::vector{event}, {decimal(epsilon), decimal("1e-7")});
  };
  const Statement one = without(geometric(10, 1, 1), "0.09999999");
  EXPECT_EQ(one.delta, decimal("0"));
  EXPECT_GE(one.epsilon, decimal("0.1"));
  EXPECT_LE(one.epsilon, decimal("0.100000001"));
  EXPECT_EQ(without(geometric(10, 1, 1), "0.2").epsilon, decimal("0.2"));    // never less than was stated
  EXPECT_EQ(without(geometric(10, 1, 1), "0.0998").delta, decimal("1e-7"));  // more than hardly more
  EXPECT_EQ(without(gaussian(10, 1), "0.3").delta, decimal("1e-7"));
  EXPECT_EQ(without(keys(10, 300, 1), "0.1").delta, decimal("1e-7"));
  EXPECT_EQ(without_delta({}, {decimal("1"), decimal("1e-7")}).delta, decimal("1e-7"));
}

// The plan's epsilon holds at its delta only, so a pure budget is charged the sum instead.
TEST(Price, OfAPureFilterDoesNotTrustAnEpsilonWithADelta) {
  const Rules of = rules(Accountant::pure, "1", "0");
  const Rational sum = price_of(of, {geometric(10, 1, 3)}, "0.2", "1e-8").epsilon;
  EXPECT_GE(sum, decimal("0.3"));
  EXPECT_LE(sum, decimal("0.3000000001"));
  EXPECT_FALSE(price(of, std::vector{gaussian(10, 1)}, {decimal("0.2"), decimal("1e-8")}));
  EXPECT_FALSE(price(of, std::vector{keys(10, 300, 1)}, {decimal("0.2"), decimal("1e-8")}));
}

TEST(Price, ByDivergenceIsThatOfOneOrder) {
  const accounting::Charge charge = *one_order_of(usual.terms)->charge(std::vector{gaussian(5.5, 1)});
  EXPECT_EQ(gaussian_study().divergence, usual.quanta.spend(charge.epsilon, charge.delta));
  EXPECT_FALSE(
      price(rules(Accountant::approximate, "3", "1e-6"), std::vector{gaussian(5.5, 1)}, {decimal("1"), decimal("1e-7")})
          ->divergence);
}

// By zero-concentration at every order one of them would cost 0.5 of the 0.17 that there is.
TEST(Offer, GrantsPureStudiesUntilTheirEpsilonsAreSpent) { EXPECT_EQ(granted(geometric_study()), 3); }

TEST(Offer, GrantsGaussianStudiesAsOftenAsTheirRhosFit) {
  const std::int64_t room = usual.quanta.budget().epsilon - usual.opening.epsilon;
  EXPECT_EQ(granted(gaussian_study()), room / gaussian_study().divergence->epsilon);
  EXPECT_GT(granted(gaussian_study()), 6);
}

TEST(Offer, ChargesTheConversionOnce) {
  Balance balance = untouched();
  const Offer first = *offer_of(usual, balance, gaussian_study());
  EXPECT_EQ(first.manner, Manner::divergence);
  balance.is_open = true;
  const Offer second = *offer_of(usual, balance, gaussian_study());
  EXPECT_EQ(first.cost - second.cost, usual.opening);
  EXPECT_GT(usual.opening.epsilon, 0);
}

// Nothing is paid for a conversion that is not used.
TEST(Offer, LetsOneStudyHaveTheWholeBudget) {
  const Price all = *price(usual, std::vector{gaussian(1.6, 1)}, {decimal("3"), decimal("1e-6")});
  const Offer offer = *offer_of(usual, untouched(), all);
  EXPECT_EQ(offer.manner, Manner::total);
  EXPECT_EQ(stated(usual, offer.cost).epsilon, decimal("3"));
  EXPECT_EQ(granted(all), 1);
}

// The conversion would take most of what is left.
TEST(Offer, DoesNotBeginWithDivergencesLate) {
  EXPECT_EQ(offer_of(usual, without("1"), gaussian_study())->manner, Manner::total);
  EXPECT_EQ(offer_of(usual, untouched(), gaussian_study())->manner, Manner::divergence);
}

// What it takes once stands apart from what the study takes, and beside what it buys.
TEST(Offer, TellsWhatOpeningTakesAndWhatItBuys) {
  Balance balance = untouched();
  const Price study = gaussian_study();
  const Offer first = *offer_of(usual, balance, study);
  EXPECT_EQ(first.opening, usual.opening);
  EXPECT_EQ(first.cost - first.opening, *study.divergence);
  EXPECT_EQ(first.room, (Room{granted(study), 3}));
  EXPECT_GT(granted(study), 6);
  balance.is_open = true;
  const Offer second = *offer_of(usual, balance, study);
  EXPECT_EQ(second.opening, Cost{});
  EXPECT_EQ(second.room, Room{});
  EXPECT_EQ(offer_of(usual, untouched(), geometric_study())->opening, Cost{});
}

// A question of epsilon 1e-6 on a fresh ledger of 1 took half of it.
TEST(Offer, OpensTheConversionOnlyWhereTenSuchStudiesPayForIt) {
  const Rules one = rules(Accountant::zcdp, "1", "1e-6");
  const Balance fresh{one.quanta.budget(), false, one.quanta.budget()};
  const Price tiny = *price(one, std::vector{geometric(1e6, 1, 1)}, {decimal("1e-6"), decimal("0")});
  const Offer asked = *offer_of(one, fresh, tiny);
  EXPECT_EQ(asked.manner, Manner::total);
  EXPECT_EQ(stated(one, asked.cost).epsilon, decimal("1e-6"));
  for (const char* epsilon : {"0.1", "0.2", "0.4", "0.7", "1", "1.3"}) {
    Price study = gaussian_study();
    study.total = usual.quanta.spend(decimal(epsilon), decimal("1e-7"));
    const Cost with = usual.opening + Cost{10 * study.divergence->epsilon, 0};
    const bool pays = with.epsilon <= 10 * study.total.epsilon;
    const bool gains = room_left(study) > times_by_total(study);
    EXPECT_EQ(offer_of(usual, untouched(), study)->manner == Manner::divergence, pays && gains) << epsilon;
  }
}

TEST(Offer, OpensTheConversionForSmallQuestionsWhereTheStewardSaysSo) {
  Price small = *price(usual, std::vector{gaussian(100, 1)}, {decimal("0.04"), decimal("1e-7")});
  EXPECT_EQ(offer_of(usual, untouched(), small)->manner, Manner::total);
  small.opening = Opening::early;
  const Offer opened = *offer_of(usual, untouched(), small);
  EXPECT_EQ(opened.manner, Manner::divergence);
  EXPECT_GT(opened.room.with_conversion, 100 * opened.room.by_totals);
  EXPECT_EQ(offer_of(usual, without("1"), small)->manner, Manner::total) << "it would take most of what is left";
}

TEST(Offer, NeverOpensTheConversionWhereTheStewardForbidsIt) {
  Price study = gaussian_study();
  study.opening = Opening::never;
  EXPECT_EQ(offer_of(usual, untouched(), study)->manner, Manner::total);
  EXPECT_EQ(granted(study), 3);
  study.total.epsilon = usual.quanta.budget().epsilon + 1;
  EXPECT_FALSE(offer_of(usual, untouched(), study)) << "not even for what does not fit otherwise";
  study.opening = Opening::worthwhile;
  EXPECT_EQ(offer_of(usual, untouched(), study)->manner, Manner::divergence);
  study.opening = Opening::never;
  Balance open = untouched();
  open.is_open = true;
  EXPECT_EQ(offer_of(usual, open, study)->manner, Manner::divergence) << "was paid for before";
}

// Half of delta goes with the conversion: a study that needs much of it would be had less often.
TEST(Offer, CountsDeltaAsWell) {
  Price study = gaussian_study();
  study.total.delta = study.divergence->delta = usual.quanta.budget().delta / 3;
  EXPECT_EQ(offer_of(usual, untouched(), study)->manner, Manner::total);
  study.divergence->delta = usual.quanta.budget().delta / 100;
  EXPECT_EQ(offer_of(usual, untouched(), study)->manner, Manner::divergence);
  study.total.delta = study.divergence->delta - 1;
  EXPECT_EQ(offer_of(usual, untouched(), study)->manner, Manner::total) << "where it costs more of either";
}

TEST(Offer, RefusesWhatFitsInNeitherManner) {
  const Result<Offer> refused = offer_of(usual, without("2.9"), gaussian_study());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::exhausted);
  EXPECT_NE(refused.error().sentence().find("asks for more than is left: it costs 1 of epsilon, and 0.1"),
            std::string::npos)
      << refused.error().sentence();
  EXPECT_NE(refused.error().sentence().find("a budget of epsilon 0.1 and delta 1e-07, which is still granted"),
            std::string::npos)
      << refused.error().sentence();
  Balance no_delta = untouched();
  no_delta.left.delta = 0;
  Price of_keys{usual.quanta.spend(decimal("0.1"), decimal("1e-7"))};
  of_keys.needs_delta = true;
  EXPECT_NE(offer_of(usual, no_delta, of_keys).error().sentence().find("ask of declared keys"), std::string::npos);
  Price advised = gaussian_study();
  advised.total = usual.quanta.spend(decimal("0.1"), decimal("1e-7"));
  EXPECT_TRUE(offer_of(usual, without("2.9"), advised));
  EXPECT_NE(offer_of(usual, without("3"), gaussian_study()).error().sentence().find("nothing more is granted"),
            std::string::npos);
}

TEST(Offer, ChargesTheChanceThatAKeyEscapes) {
  const Price with_keys = *price(usual, std::vector{keys(20, 300, 2)}, {decimal("1"), decimal("1e-6")});
  EXPECT_GT(with_keys.divergence->delta, 0);
}

}  // namespace
}  // namespace vernier::ledger
