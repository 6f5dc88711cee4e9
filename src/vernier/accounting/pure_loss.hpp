#pragma once

#include <span>
#include <vector>

#include "vernier/core/types.hpp"
#include "vernier/numeric/double_double.hpp"

namespace vernier::accounting {

// What a law of losses says about an epsilon, as a guide for searches: delta = E[(1 - e^(epsilon - L))+] and how it
// falls.
struct LossTail {
  double log_delta;      // minus infinity for 0
  double relative_fall;  // -(d delta / d epsilon) / delta
};

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

// So many releases that are each the worst of a pure epsilon.
struct PureGroup {
  double epsilon;
  double times;
};

// The summed loss of different groups, every one of its values with its probability (Murtagh and Vadhan 2016):
// the product of (times + 1) values. composition.md has the errors.
class EnumeratedLoss {
 public:
  static constexpr double greatest_size = 0x1p20;
  static double size_of(std::span<const PureGroup> groups);

  explicit EnumeratedLoss(std::span<const PureGroup> groups);  // of at most greatest_size values

  LossTail tail(double epsilon) const;
  Bounds delta(double epsilon) const;  // certified, some 1e-14 apart relatively

 private:
  struct Atom {
    numeric::DoubleDouble loss;
    double mass;
  };
  struct Sum;
  Sum sum_above(double epsilon) const;

  std::vector<Atom> atoms_;
  double sum_of_epsilons_;
  double mass_error_;  // of each atom, relatively
};

}  // namespace vernier::accounting
