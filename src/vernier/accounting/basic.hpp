#pragma once

#include "vernier/accounting/statement.hpp"

// Epsilons add, and deltas add (Dwork, Kenthapadi, McSherry, Mironov and Naor 2006, Theorem 1), whatever the releases
// are and however they depend on each other's answers. composition.md has the proof.
namespace vernier::accounting {

struct BasicTotal {
  double epsilon;
  double delta;
};

// Rounded up.
BasicTotal basic_total(Statements statements);

}  // namespace vernier::accounting
