#pragma once

#include <vector>

#include "vernier/accounting/loss/loss_law.hpp"
#include "vernier/core/result.hpp"
#include "vernier/core/types.hpp"

namespace vernier::accounting {

// The privacy of independent releases in one direction, from the law of their summed loss:
//     delta(epsilon) = P[S = infinity] + E[(1 - e^(epsilon - S))+; S finite]
// Both ends are proven; how far apart they are is a wish. docs/theory/accounting.md.
class LossSum {
 public:
  explicit LossSum(std::vector<LossPart> parts) : parts_(std::move(parts)) {}

  // What a question may cost, in values of phi of some 50 ns: where more were needed, the ends are further apart.
  static constexpr double great_work = 8e6, usual_work = 1.2e6, some_work = 4e5, little_work = 2e5;

  // The least epsilon, 0 included, with delta(epsilon) <= delta, for delta > 0; `tightness` relative to epsilon. An
  // error where delta is not above the chance of an infinite loss.
  Result<Bounds> epsilon(double delta, double tightness, double work = usual_work) const;

  // `tightness` as before: the gap is what so much of epsilon makes in delta, but from 1 to 100 times the tightness of
  // delta.
  static constexpr double most_delta_gap = 100;
  Bounds delta(double epsilon, double tightness, double work = usual_work) const;

 private:
  std::vector<LossPart> parts_;
};

}  // namespace vernier::accounting
