#include "vernier/release/ledger/capacity.hpp"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "vernier/accuracy/accuracy.hpp"

namespace vernier::release {
namespace {

using ledger::Accountant;
using ledger::Balance;
using ledger::Cost;
using ledger::Price;
using ledger::Rules;
using numeric::Rational;

const Alpha five_percent = Alpha::of(0.05).value();

Rules rules_for(Accountant accountant, const char* epsilon, const char* delta,
                privacy::Neighbours neighbours = privacy::Neighbours::add_remove) {
  return ledger::rules_of(
             {accountant, Rational::of_decimal(epsilon).value(), Rational::of_decimal(delta).value(), neighbours})
      .value();
}

Balance whole(const Rules& rules) { return {rules.quanta.budget(), false, rules.quanta.budget()}; }

// As it is planned without a budget of its own.
CountStudy count_study(const Rules& rules, std::int64_t accuracy) {
  return count_studies(rules, accuracy, five_percent).value().front();
}

// One after the other, as a ledger grants them.
std::int64_t asked_again_and_again(const Rules& rules, Balance balance, const Price& price) {
  std::int64_t granted = 0;
  while (const auto offer = ledger::offer_of(rules, balance, price)) {
    balance.left = balance.left - offer->cost;
    balance.is_open = balance.is_open || offer->manner == ledger::Manner::divergence;
    ++granted;
  }
  return granted;
}

TEST(Capacity, EqualsAskingAgainAndAgainAtAnyPrice) {
  std::mt19937 any(7);
  const auto up_to = [&](int most) { return std::uniform_int_distribution<std::int64_t>(0, most)(any); };
  std::int64_t several = 0, opened = 0;
  Rules rules = rules_for(Accountant::pure, "1", "0");
  for (int i = 0; i < 200'000; ++i) {
    rules.opening = {up_to(40), up_to(20)};
    const Balance balance{{up_to(200), up_to(60)}, up_to(1) == 1, {}};
    Price price{{1 + up_to(30), up_to(10)}};
    if (up_to(4) > 0) price.divergence = Cost{1 + up_to(30), up_to(10)};
    price.opening = static_cast<ledger::Opening>(up_to(2));
    opened += price.divergence && !balance.is_open && ledger::offer_of(rules, balance, price)
                  ? ledger::offer_of(rules, balance, price)->opening.epsilon > 0
                  : 0;
    const std::int64_t granted = times_within(rules, balance, price);
    ASSERT_EQ(granted, asked_again_and_again(rules, balance, price))
        << balance.left.epsilon << " " << balance.left.delta << " " << balance.is_open;
    several += granted > 3 ? 1 : 0;
  }
  EXPECT_GT(several, 50'000);
  EXPECT_GT(opened, 5'000);
}

TEST(Capacity, EqualsAskingAgainAndAgainForCountsOfEveryAccountant) {
  const std::vector<Rules> all = {rules_for(Accountant::pure, "1", "0"),
                                  rules_for(Accountant::approximate, "2", "1e-6"),
                                  rules_for(Accountant::zcdp, "3", "1e-6"),
                                  rules_for(Accountant::rdp, "0.5", "1e-9", privacy::Neighbours::replace)};
  for (const Rules& rules : all) {
    for (const std::int64_t accuracy : {3, 10, 47, 300}) {
      std::int64_t most = 0;
      const std::vector<CountStudy> ways = count_studies(rules, accuracy, five_percent).value();
      for (const CountStudy& way : ways) {
        const std::int64_t granted = times_within(rules, whole(rules), way.price);
        EXPECT_EQ(granted, asked_again_and_again(rules, whole(rules), way.price))
            << name_of(rules.terms.accountant) << " " << accuracy;
        most = std::max(most, granted);
      }
      EXPECT_EQ(capacity(rules, whole(rules), ways).counts, most);
    }
  }
}

TEST(Capacity, PaysForTheConversionOnce) {
  const Rules rules = rules_for(Accountant::zcdp, "3", "1e-6");
  CountStudy study = count_study(rules, 1000);
  study.price.opening = ledger::Opening::early;
  const Cost& each = study.price.divergence.value();
  const Cost rest = rules.quanta.budget() - rules.opening;
  EXPECT_EQ(times_within(rules, whole(rules), study.price) - rest.epsilon / each.epsilon, 0);
  const Balance open{rest, true, rules.quanta.budget()};
  EXPECT_EQ(times_within(rules, open, study.price), rest.epsilon / each.epsilon);
}

TEST(Capacity, IsOfTheAccuracyThatItSays) {
  const Rules rules = rules_for(Accountant::zcdp, "3", "1e-6");
  for (const std::int64_t accuracy : {1, 10, 1000}) {
    const CountStudy study = count_study(rules, accuracy);
    const auto stated =
        std::visit([&](const auto& law) { return accuracy::of(law, five_percent, accuracy::Cells::one()).value(); },
                   plan::additive(study.law).value());
    EXPECT_EQ(stated.accuracy, static_cast<double>(accuracy));
    EXPECT_EQ(study.delta.value(), 1e-7);
  }
}

TEST(Capacity, IsThatOfTheBetterWayToAsk) {
  const Rules rules = rules_for(Accountant::approximate, "2", "1e-6");
  std::vector<CountStudy> ways = count_studies(rules, 100, five_percent).value();
  ASSERT_EQ(ways.size(), 2U);
  EXPECT_EQ(ways[0].price.total.delta, 0);  // geometric noise takes none
  EXPECT_GT(capacity(rules, whole(rules), ways).counts, 50);
  for (const std::size_t worse : {0U, 1U}) {
    std::vector<CountStudy> changed = ways;
    changed[worse].price.total.epsilon *= 2;
    const Capacity best = capacity(rules, whole(rules), changed);
    EXPECT_EQ(best.counts, times_within(rules, whole(rules), ways[1 - worse].price)) << worse;
    EXPECT_EQ(best.study.delta.is_pure(), worse == 0);
  }
}

TEST(Capacity, OfAPureBudgetIsGeometricAndItsSum) {
  const Rules rules = rules_for(Accountant::pure, "1", "0");
  const CountStudy study = count_study(rules, 10);
  EXPECT_EQ(plan::name_of(study.law), "geometric");
  EXPECT_EQ(times_within(rules, whole(rules), study.price), static_cast<std::int64_t>(1 / study.epsilon));
}

TEST(Capacity, ChoosesRoundAccuraciesThatCanBeAfforded) {
  const Rules rules = rules_for(Accountant::pure, "1", "0");
  const auto accuracies = [&](std::int64_t part) {
    const Balance balance{{rules.quanta.budget().epsilon / part, 0}, false, rules.quanta.budget()};
    std::vector<std::int64_t> found;
    const auto ways = affordable_counts(rules, balance, five_percent).value();
    for (const std::vector<CountStudy>& one : ways) found.push_back(one.front().accuracy);
    return found;
  };
  EXPECT_EQ(accuracies(1), (std::vector<std::int64_t>{5, 10, 20, 50, 500}));
  EXPECT_EQ(accuracies(100), (std::vector<std::int64_t>{500, 1000, 2000, 5000, 50000}));
  EXPECT_TRUE(accuracies(1'000'000'000'000'000'000).empty());
}

TEST(Capacity, OfNothingLeftIsNothing) {
  const Rules rules = rules_for(Accountant::zcdp, "3", "1e-6");
  const CountStudy study = count_study(rules, 1000);
  EXPECT_EQ(times_within(rules, {{}, true, {}}, study.price), 0);
}

}  // namespace
}  // namespace vernier::release
