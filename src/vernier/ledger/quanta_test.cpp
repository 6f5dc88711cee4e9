#include <random>
#include <string>

#include <gtest/gtest.h>

#include "vernier/ledger/price.hpp"

namespace vernier::ledger {
namespace {

using numeric::Rational;

Rational decimal(const std::string& text) { return *Rational::of_decimal(text); }
Quanta quanta(const char* epsilon, const char* delta = "0") { return Quanta::of(decimal(epsilon), decimal(delta)); }

std::int64_t epsilon_of(const Quanta& of, const std::string& amount) {
  return of.spend(decimal(amount), decimal("0")).epsilon;
}

TEST(Quanta, TakeTenTimesATenthForOne) {
  const Quanta one = quanta("1");
  EXPECT_EQ(10 * epsilon_of(one, "0.1"), one.budget().epsilon);
  EXPECT_EQ(one.budget().epsilon, 1'000'000'000'000'000'000);
}

TEST(Quanta, AreAPowerOfTenOfWhichABudgetHasMany) {
  for (const char* budget : {"1", "9.99", "10", "0.001", "3", "1e-300", "12345.678", "1e10", "5e-324"}) {
    const Quanta of = quanta(budget);
    EXPECT_LE(of.budget().epsilon, 1'000'000'000'000'000'000) << budget;
    EXPECT_GT(of.budget().epsilon, 100'000'000'000'000'000 - 1) << budget;
    EXPECT_EQ(of.epsilon(of.budget().epsilon), decimal(budget)) << budget;
  }
}

TEST(Quanta, RoundSpendsUpAndBudgetsDown) {
  const Quanta third = Quanta::of(*quotient(Rational::of(1), Rational::of(3)), decimal("0"));
  EXPECT_LT(third.epsilon(third.budget().epsilon), *quotient(Rational::of(1), Rational::of(3)));
  EXPECT_GT(epsilon_of(third, "0.33333333333333333333333333333333333333333333333333"), third.budget().epsilon);
  EXPECT_EQ(epsilon_of(quanta("1"), "1e-50"), 1);
  EXPECT_EQ(epsilon_of(quanta("1"), "0"), 0);
}

TEST(Quanta, OfNothingAreExceededByAnything) {
  const Quanta none = quanta("1", "0");
  EXPECT_EQ(none.budget().delta, 0);
  EXPECT_EQ(none.spend(decimal("0"), decimal("1e-300")).delta, 1);
  EXPECT_FALSE(fits(none.spend(decimal("0"), decimal("1e-300")), none.budget()));
}

// Two of them still add up.
TEST(Quanta, HoldASpendOfAnySize) {
  const std::int64_t most = epsilon_of(quanta("1"), "1e9000");
  EXPECT_GE(most, 4 * quanta("1").budget().epsilon);
  EXPECT_GT(most + most, most);
}

// A million of decimals with up to 17 digits behind the point, which the quantum of a budget of 9 holds exactly.
TEST(SlowQuanta, AddUpToTheExactRationalSum) {
  std::mt19937_64 random(20261115);
  const Quanta nine = quanta("9");
  std::int64_t sum = 0;
  Rational exact = Rational::of(0);
  for (int i = 0; i < 1'000'000; ++i) {
    const std::string digits = std::to_string(random() % 1'000'000'000);
    const std::string amount = "0.00000" + std::string(9 - digits.size(), '0') + digits + "e-3";
    sum += epsilon_of(nine, amount);
    exact = exact + decimal(amount);
  }
  EXPECT_EQ(nine.epsilon(sum), exact);
}

std::string hostile(std::mt19937_64& random) {
  static const std::vector<std::string> parts = {"0x1", "nan", "inf", "1,5",   " ",       "１",  "e",  "--",
                                                 "+-",  "1e",  "_",   "1.2.3", "%",       "1/2", "\n", "٣",
                                                 "0b1", "1f",  "1L",  "e5e",   "1e99999", "’"};
  const std::string number = std::to_string(random() % 1000) + "." + std::to_string(random() % 1000);
  const std::string& part = parts[random() % parts.size()];
  switch (random() % 3) {
    case 0:
      return part + number;
    case 1:
      return number + part;
    default:
      return number.substr(0, 1) + part + number.substr(1);
  }
}

TEST(Quanta, AreNotReadFromHostileSpellings) {
  std::mt19937_64 random(7);
  int refused = 0;
  for (int i = 0; i < 5000; ++i) {
    const std::string text = hostile(random);
    if (text.find("e") != std::string::npos && Rational::of_decimal(text)) continue;  // 1e5 and its like are numbers
    EXPECT_FALSE(Rational::of_decimal(text)) << text;
    ++refused;
  }
  EXPECT_GT(refused, 4500);
}

}  // namespace
}  // namespace vernier::ledger
