#pragma once

#include <span>
#include <string>

#include "vernier/core/types.hpp"

// Failures: what gives everything away, a loss that is infinite. They are kept apart from what goes wrong else.
namespace vernier::accounting {

// The chance that at least one of independent failures happens: 1 - (1 - chance)^times ..., rounded outward, and never
// above the sum of their chances, which of one failure is its own to the last digit.
class AnyFailure {
 public:
  void add(Bounds chance, double times);
  Bounds chance() const;

 private:
  Bounds log_of_none_{0, 0};  // ln of the chance that none happens
  double sum_ = 0;            // of the upper ends
};

// The total delta of failures of chance `failure` and of what goes wrong with chance `delta` where none has failed:
// failure + (1 - failure) delta, which is 1 - (1 - failure)(1 - delta).
Bounds with_failure(Bounds failure, Bounds delta);

// The way back: what may go wrong where none has failed, for a total delta; below 0 where the failures alone exceed the
// total.
Bounds without_failure(Bounds failure, double delta);

// That a delta is too small for that; it is quoted as it was written, before it was rounded down.
Failure below_failure(Bounds failure, double delta);

// What to do then: a larger one, where one that is large enough can be stated.
std::string enough_delta(Bounds failure);

// Releases that are only known by a guarantee: each of `times` of them is (epsilon, delta)-private. What the methods of
// composition take; an event becomes one of these where it has such a guarantee.
struct Statement {
  Bounds epsilon;    // the exact figure lies in here (1 / scale is seldom a double); above 0, and at most 1e9
  double delta = 0;  // from 0 to below 1, as it is
  double times = 1;  // a whole number from 1 to 1e9
};

using Statements = std::span<const Statement>;

// The sum of all epsilons, each so often as it is said.
Bounds sum_of_epsilons(Statements statements);

// The chance that at least one of them fails, each independently with its delta.
Bounds any_failure(Statements statements);

}  // namespace vernier::accounting
