#pragma once

#include "vernier/numeric/double_double.hpp"

namespace vernier::accounting {

// The terms of a binomial law relative to one of them, term by term: with odds E = e^epsilon for the one side,
//     term(j) = C(n, j) E^j,   term(j + 1) = term(j) E (n - j) / (j + 1).
// In pairs of doubles, so that a term is right within 64 u^2 relatively for each step that was made (composition.md).
class BinomialChain {
 public:
  // epsilon above 0; n whole, up to 1e9.
  BinomialChain(double epsilon, double n);

  double n() const { return n_; }
  double mode() const { return mode_; }  // about where the greatest term is

  // The factor from term(j) to term(j + 1), and to term(j - 1).
  numeric::DoubleDouble up(double j) const { return quotient(product(odds_, n_ - j), {j + 1, 0}); }
  numeric::DoubleDouble down(double j) const { return quotient(product(inverse_odds_, j), {n_ - j + 1, 0}); }

 private:
  double n_;
  double mode_;
  numeric::DoubleDouble odds_;          // e^epsilon; infinite where it overflows, and then no term lies above the mode
  numeric::DoubleDouble inverse_odds_;  // e^-epsilon
};

// a b with a relative error of at most 8 u^2.
inline numeric::DoubleDouble times(const numeric::DoubleDouble& a, const numeric::DoubleDouble& b) {
  const numeric::DoubleDouble high = numeric::two_product(a.hi, b.hi);
  return numeric::quick_two_sum(high.hi, high.lo + (a.hi * b.lo + a.lo * b.hi));
}

}  // namespace vernier::accounting
