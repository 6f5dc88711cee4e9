#include <gtest/gtest.h>

#include "vernier/ledger/price.hpp"

// Mutant 31: budgets in doubles. Eight spends of 0.1 leave something of 0.8 there, which can be spent again.
namespace vernier {
namespace {

using ledger::Quanta;
using numeric::Rational;

Rational tenths(int number) { return Rational::of_decimal(std::to_string(number) + "e-1").value(); }

// What is left of so many tenths after as many spends of one.
std::int64_t left_in_quanta(int number) {
  const Quanta quanta = Quanta::of(tenths(number), Rational::of_decimal("0").value());
  ledger::Cost left = quanta.budget();
  for (int i = 0; i < number; ++i) left = left - quanta.spend(tenths(1), Rational::of_decimal("0").value());
  return left.epsilon;
}

double left_in_doubles(int number) {
  double spent = 0;
  for (int i = 0; i < number; ++i) spent += 0.1;
  return number / 10.0 - spent;
}

TEST(Money, IsNotMistakenForDoubles) {
  int given_away = 0;
  for (int number = 1; number <= 100; ++number) {
    EXPECT_EQ(left_in_quanta(number), 0) << number;
    given_away += left_in_doubles(number) > 0 ? 1 : 0;
  }
  EXPECT_GT(given_away, 10);
}

}  // namespace
}  // namespace vernier
