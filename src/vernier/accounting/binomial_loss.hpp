#pragma once

#include "vernier/accounting/binomial_chain.hpp"
#include "vernier/accounting/loss_tail.hpp"
#include "vernier/core/types.hpp"

namespace vernier::accounting {

// The summed loss of n releases that are each the worst of a pure epsilon: the loss of one is +epsilon with odds
// e^epsilon : 1, else -epsilon, so that the sum is epsilon (2j - n) with j binomial (Kairouz, Oh and Viswanath 2015).
// composition.md has the errors.
class BinomialLoss {
 public:
  BinomialLoss(double epsilon, double n) : epsilon_(epsilon), chain_(epsilon, n) {}

  LossTail tail(double epsilon) const;  // by doubles alone: a guide
  Bounds delta(double epsilon) const;   // certified, about 1e-14 apart relatively

 private:
  struct Sum;
  double first_above(double epsilon) const;
  Sum sum_from(double first, double anchor, double epsilon) const;

  double epsilon_;
  BinomialChain chain_;
};

}  // namespace vernier::accounting
