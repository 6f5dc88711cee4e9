#include <vector>

#include <gtest/gtest.h>

#include "vernier/accounting/divergences.hpp"
#include "vernier/accounting/rdp.hpp"
#include "vernier/accounting/zcdp.hpp"

namespace vernier::accounting {
namespace {

using numeric::Rational;

Rational decimal(const char* text) { return *Rational::of_decimal(text); }
OneOrder usual() { return *OneOrder::of(decimal("3"), decimal("1e-6")); }

Event gaussian(double scale, std::int64_t times = 1) {
  const auto mechanism =
      mechanism::DiscreteGaussianMechanism::at_scale(*Sigma::of(scale), *privacy::IntegerSensitivity::of(1));
  return *Event::of(*mechanism, privacy::Neighbours::add_remove, *Times::of(times));
}

Event geometric(double scale) {
  const auto mechanism =
      mechanism::GeometricMechanism::at_scale(*LaplaceScale::of(scale), *privacy::IntegerSensitivity::of(1));
  return *Event::of(*mechanism, privacy::Neighbours::add_remove);
}

TEST(OneOrder, LeavesGaussianNoiseWhatZcdpWould) {
  const OneOrder rule = usual();
  const double rho = (decimal("3") - rule.opening().epsilon).round_down() / rule.order();
  EXPECT_LE(*zcdp_epsilon(rho, 5e-7), 3);
  EXPECT_GE(*zcdp_epsilon(1.01 * rho, 5e-7), 3);
}

// The opening alone, with no divergence at all, is worth half of delta by the conversion.
TEST(OneOrder, OpeningPaysForTheConversion) {
  const OneOrder rule = usual();
  EXPECT_EQ(rule.opening().delta, decimal("5e-7"));
  const double epsilon = rule.opening().epsilon.round_down();
  EXPECT_LE(delta_at_order(rule.order() - 1, {-epsilon, 0}), 5e-7);
  EXPECT_GE(delta_at_order(rule.order() - 1, {-epsilon * (1 - 1e-9), 0}), 5e-7);
}

TEST(OneOrder, ChargesGaussianNoiseByRho) {
  const OneOrder rule = usual();
  const Charge one = *rule.charge(std::vector{gaussian(20)});
  const Charge hundred = *rule.charge(std::vector{gaussian(20, 100)});
  EXPECT_NEAR(one.epsilon.round_up(), rule.order() / 800, 1e-9);
  EXPECT_GE(one.epsilon.round_up(), rule.order() / 800 * (1 - 1e-12));
  EXPECT_NEAR(hundred.epsilon.round_up(), rule.order() / 8, 1e-7);
  EXPECT_EQ(one.delta, Rational::of(0));
}

TEST(OneOrder, ChargesPureNoiseAtMostItsEpsilon) {
  const OneOrder rule = usual();
  for (const double scale : {0.5, 1.0, 3.0, 100.0}) {
    const double charged = rule.charge(std::vector{geometric(scale)})->epsilon.round_up();
    EXPECT_LE(charged, 1 / scale * (1 + 1e-9)) << scale;
    EXPECT_LE(charged, rule.order() / (2 * scale * scale) * (1 + 1e-9)) << scale;
  }
}

TEST(OneOrder, ChargesTheEscapeOfKeysAsDelta) {
  const auto noise = mechanism::GeometricMechanism::at_scale(*LaplaceScale::of(1), *privacy::IntegerSensitivity::of(1));
  const auto keys = *KeySelection::of(*noise, 16, 2);
  const Event event = *Event::of(keys, privacy::Neighbours::add_remove);
  const Charge charge = *usual().charge(std::vector{event});
  const double escape = noise->law().tail(14).upper;
  EXPECT_GE(charge.delta.round_up(), 2 * escape * (1 - 2 * escape));
  EXPECT_LE(charge.delta.round_up(), 2 * escape * (1 + 1e-9));
}

TEST(OneOrder, NeedsADelta) { EXPECT_FALSE(OneOrder::of(decimal("3"), decimal("0"))); }

}  // namespace
}  // namespace vernier::accounting
