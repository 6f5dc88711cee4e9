#pragma once

#include <span>
#include <vector>

#include "vernier/accounting/loss_tail.hpp"
#include "vernier/core/types.hpp"
#include "vernier/numeric/double_double.hpp"

namespace vernier::accounting {

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
