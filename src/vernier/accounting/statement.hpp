#pragma once

#include <span>

#include "vernier/accounting/failure.hpp"
#include "vernier/core/types.hpp"

// Releases that are only known by a guarantee: each of `times` of them is (epsilon, delta)-private. What the methods of
// composition take; an event becomes one of these where it has such a guarantee.
namespace vernier::accounting {

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
