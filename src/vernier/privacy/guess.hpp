#pragma once

#include "vernier/privacy/parameters.hpp"

// What a guarantee means for somebody who guesses whether a person is in the data (guess.md). Rounded up.
namespace vernier::privacy {

// The greatest chance of a right guess where a fair coin has decided: (e^epsilon + delta) / (1 + e^epsilon).
double guess_chance(double epsilon, double delta);

// Who wrongly points at this part of those who are not in the data can point at no more than this of those who are.
double found_chance(double epsilon, double delta, double wrongly);

}  // namespace vernier::privacy
