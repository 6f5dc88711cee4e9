#include <gtest/gtest.h>

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
  return price(of, events, {decimal(epsilon), decimal(delta)})->total;
}

const Terms usual = terms(Accountant::zcdp, "3", "1e-6");
Price geometric_study() { return *price(usual, std::vector{geometric(1, 1, 1)}, {decimal("1"), decimal("0")}); }
Price gaussian_study() { return *price(usual, std::vector{gaussian(5.5, 1)}, {decimal("1"), decimal("1e-7")}); }

// Takes the study as often as it can be had.
int granted(const Terms& of, const Price& study, Balance balance = *untouched(usual)) {
  int count = 0;
  for (; count < 100; ++count) {
    const Result<Offer> offer = offer_of(of, balance, study);
    if (!offer) break;
    EXPECT_TRUE(balance.filter.spend(offer->amounts));
    balance.is_open = balance.is_open || offer->manner == Manner::divergence;
  }
  return count;
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

TEST(Price, ByDivergenceIsThatOfOneOrder) {
  const accounting::OneOrder rule = *one_order_of(usual);
  const Price found = gaussian_study();
  EXPECT_EQ((*found.divergence)[0], rule.charge(std::vector{gaussian(5.5, 1)})->epsilon);
  EXPECT_FALSE(
      price(terms(Accountant::approximate, "3", "1e-6"), std::vector{gaussian(5.5, 1)}, {decimal("1"), decimal("1e-7")})
          ->divergence);
}

// By zero-concentration at every order one of them would cost 0.5 of the 0.17 that there is.
TEST(Offer, GrantsPureStudiesUntilTheirEpsilonsAreSpent) { EXPECT_EQ(granted(usual, geometric_study()), 3); }

TEST(Offer, GrantsGaussianStudiesAsOftenAsTheirRhosFit) {
  const accounting::OneOrder rule = *one_order_of(usual);
  const double room = (usual.epsilon - rule.opening().epsilon).round_down();
  const double divergence = (*gaussian_study().divergence)[0].round_up();
  EXPECT_EQ(granted(usual, gaussian_study()), static_cast<int>(room / divergence));
  EXPECT_GT(granted(usual, gaussian_study()), 6);
}

TEST(Offer, ChargesTheConversionOnce) {
  const accounting::OneOrder rule = *one_order_of(usual);
  Balance balance = *untouched(usual);
  const Offer first = *offer_of(usual, balance, gaussian_study());
  EXPECT_EQ(first.manner, Manner::divergence);
  balance.is_open = true;
  const Offer second = *offer_of(usual, balance, gaussian_study());
  EXPECT_EQ(first.amounts[0] - second.amounts[0], rule.opening().epsilon);
  EXPECT_EQ(first.amounts[1] - second.amounts[1], rule.opening().delta);
}

// Nothing is paid for a conversion that is not used.
TEST(Offer, LetsOneStudyHaveTheWholeBudget) {
  const Price all = *price(usual, std::vector{gaussian(1.6, 1)}, {decimal("3"), decimal("1e-6")});
  const Offer offer = *offer_of(usual, *untouched(usual), all);
  EXPECT_EQ(offer.manner, Manner::total);
  EXPECT_EQ(offer.amounts[0], decimal("3"));
  EXPECT_EQ(granted(usual, all), 1);
}

// The conversion would take most of what is left.
TEST(Offer, DoesNotBeginWithDivergencesLate) {
  Balance balance = *untouched(usual);
  ASSERT_TRUE(balance.filter.spend(std::vector{decimal("1"), decimal("0")}));
  const Price small = *price(usual, std::vector{gaussian(100, 1)}, {decimal("0.04"), decimal("1e-7")});
  EXPECT_EQ(offer_of(usual, balance, small)->manner, Manner::total);
  EXPECT_EQ(offer_of(usual, *untouched(usual), small)->manner, Manner::divergence);
}

TEST(Offer, RefusesWhatFitsInNeitherManner) {
  Balance balance = *untouched(usual);
  ASSERT_TRUE(balance.filter.spend(std::vector{decimal("2.9"), decimal("0")}));
  const Result<Offer> refused = offer_of(usual, balance, gaussian_study());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::exhausted);
  EXPECT_NE(refused.error().sentence.find("asks for more than is left: it costs 1 of epsilon, and 0.1"),
            std::string::npos)
      << refused.error().sentence;
}

TEST(Offer, ChargesTheChanceThatAKeyEscapes) {
  const Price with_keys = *price(usual, std::vector{keys(20, 300, 2)}, {decimal("1"), decimal("1e-6")});
  EXPECT_GT((*with_keys.divergence)[1], Rational::of(0));
}

}  // namespace
}  // namespace vernier::ledger
