#pragma once

#include <compare>
#include <cstdint>

#include "vernier/core/result.hpp"
#include "vernier/numeric/rational.hpp"

namespace vernier::ledger {

// An amount of budget in whole quanta, which the ledger adds up, compares and stores: never in doubles.
struct Cost {
  std::int64_t epsilon = 0;
  std::int64_t delta = 0;

  friend bool operator==(const Cost&, const Cost&) = default;
  friend Cost operator+(const Cost& a, const Cost& b) { return {a.epsilon + b.epsilon, a.delta + b.delta}; }
  friend Cost operator-(const Cost& a, const Cost& b) { return {a.epsilon - b.epsilon, a.delta - b.delta}; }
};

// Both amounts are within.
inline bool fits(const Cost& cost, const Cost& most) {
  return cost.epsilon <= most.epsilon && cost.delta <= most.delta;
}

// What a quantum of each amount is worth: the least power of ten of which the budget has no more than 10^18. So
// decimals stay exact (ten times 0.1 are 1), and a budget or a spend is rounded by less than 1e-17 of the budget.
class Quanta {
 public:
  static Quanta of(const numeric::Rational& epsilon, const numeric::Rational& delta);

  // Rounded up; what is more than 4e18 quanta, four budgets at least, is taken for 4e18.
  Cost spend(const numeric::Rational& epsilon, const numeric::Rational& delta) const;

  const Cost& budget() const { return budget_; }  // rounded down

  numeric::Rational epsilon(std::int64_t quanta) const;
  numeric::Rational delta(std::int64_t quanta) const;

 private:
  Quanta(numeric::Rational epsilon, numeric::Rational delta, Cost budget)
      : epsilon_(std::move(epsilon)), delta_(std::move(delta)), budget_(budget) {}
  numeric::Rational epsilon_;  // one quantum
  numeric::Rational delta_;
  Cost budget_;
};

}  // namespace vernier::ledger
