#include "vernier/ledger/quanta.hpp"

#include <algorithm>
#include <string>

namespace vernier::ledger {
namespace {

using numeric::Rational;

constexpr std::int64_t most_quanta = 1'000'000'000'000'000'000;

// A spend beyond this is refused anyway; two of them still add up in 64 bits.
constexpr std::int64_t greatest_spend = 4 * most_quanta;

Rational power_of_ten(int exponent) { return *Rational::of_decimal("1e" + std::to_string(exponent)); }

Rational ratio(const Rational& a, const Rational& b) { return *quotient(a, b); }

// Of nothing 1e-18, so that a spend of anything is more than nothing.
Rational quantum_of(const Rational& budget) {
  if (!(budget > Rational::of(0))) return power_of_ten(-18);
  const Rational most = Rational::of(most_quanta);
  int exponent = -numeric::greatest_decimal_exponent;
  for (int step = 8192; step > 0; step /= 2) {
    if (budget > most * power_of_ten(exponent + step - 1)) exponent += step;
  }
  return power_of_ten(exponent);
}

std::int64_t spend_of(const Rational& amount, const Rational& quantum) {
  const Result<std::int64_t> quanta = ratio(amount, quantum).ceil();
  return quanta ? std::clamp(*quanta, std::int64_t{0}, greatest_spend) : greatest_spend;
}

std::int64_t budget_of(const Rational& amount, const Rational& quantum) {
  return std::max(std::int64_t{0}, *ratio(amount, quantum).floor());
}

}  // namespace

Quanta Quanta::of(const Rational& epsilon, const Rational& delta) {
  Rational epsilon_quantum = quantum_of(epsilon), delta_quantum = quantum_of(delta);
  const Cost budget{budget_of(epsilon, epsilon_quantum), budget_of(delta, delta_quantum)};
  return {std::move(epsilon_quantum), std::move(delta_quantum), budget};
}

Cost Quanta::spend(const Rational& epsilon, const Rational& delta) const {
  return {spend_of(epsilon, epsilon_), spend_of(delta, delta_)};
}

Rational Quanta::epsilon(std::int64_t quanta) const { return Rational::of(quanta) * epsilon_; }
Rational Quanta::delta(std::int64_t quanta) const { return Rational::of(quanta) * delta_; }

}  // namespace vernier::ledger
