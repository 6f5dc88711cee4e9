#pragma once

#include <memory>
#include <optional>

#include "vernier/accounting/statement.hpp"

namespace vernier::accounting {

// What all releases with these statements may give away together at worst, exactly: every list of such releases is a
// post-processing of randomised responses, and these reach it (Kairouz, Oh and Viswanath 2015 for equal statements,
// Murtagh and Vadhan 2016 for different ones). composition.md has the proof and the errors.
class OptimalComposition {
 public:
  // One epsilon as often as one likes, or different ones with up to 2^20 different sums; none where there are more.
  static std::optional<OptimalComposition> of(Statements statements);

  // The least delta at an epsilon from 0 on; exactly 0 where it is.
  Bounds delta(double epsilon) const;
  // The least epsilon at a delta from 0 on; an error where delta is below the chance that a statement fails.
  Result<Bounds> epsilon(double delta) const;

 private:
  class Loss;
  OptimalComposition(std::shared_ptr<const Loss> least, std::shared_ptr<const Loss> greatest, Bounds failure,
                     Bounds sum)
      : least_(std::move(least)), greatest_(std::move(greatest)), failure_(failure), sum_(sum) {}

  // The losses with each epsilon at its lower, and at its upper end; one object where these are the same.
  std::shared_ptr<const Loss> least_;
  std::shared_ptr<const Loss> greatest_;
  Bounds failure_;
  Bounds sum_;
};

}  // namespace vernier::accounting
