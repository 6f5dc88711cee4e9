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

// Advanced composition (Dwork, Rothblum and Vadhan 2010), for a list of different statements and with the first-order
// term of Kairouz, Oh and Viswanath 2015, Theorem 3.5 (its last form): for every delta' in (0, 1], all releases
// together are (epsilon, 1 - (1 - delta') product of (1 - delta_i))-private with
//     epsilon = sum of epsilon_i tanh(epsilon_i / 2) + sqrt(2 ln(1 / delta') sum of epsilon_i^2),
// or the plain sum of the epsilon_i where that is less. composition.md has the proof.

// Rounded up. An error where delta is below the chance that a statement fails.
Result<double> advanced_epsilon(Statements statements, double delta);

// Rounded up.
double advanced_delta(Statements statements, double epsilon);

}  // namespace vernier::accounting
