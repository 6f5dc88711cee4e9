#pragma once

#include "vernier/core/types.hpp"

// Failures: what gives everything away, a loss that is infinite. They are kept apart from what goes wrong else.
namespace vernier::accounting {

// The chance that at least one of independent failures happens: 1 - (1 - chance)^times ..., rounded outward.
class AnyFailure {
 public:
  void add(Bounds chance, double times);
  Bounds chance() const;

 private:
  Bounds log_of_none_{0, 0};  // ln of the chance that none happens
};

// The total delta of failures of chance `failure` and of what goes wrong with chance `delta` where none has failed:
// failure + (1 - failure) delta, which is 1 - (1 - failure)(1 - delta).
Bounds with_failure(Bounds failure, Bounds delta);

// The way back: what may go wrong where none has failed, for a total delta; below 0 where the failures alone exceed the
// total.
Bounds without_failure(Bounds failure, double delta);

}  // namespace vernier::accounting
