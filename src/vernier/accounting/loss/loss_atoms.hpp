#pragma once

#include <vector>

namespace vernier::accounting {

// A finite law of losses that stands above a release: at every epsilon, below 0 too, the sum of
// mass (1 - e^(epsilon - loss))+ and the infinite mass is at least the delta of the release. Masses are rounded up, so
// that they and the infinite mass sum to 1 or a little more, and are to be used as they are: it is the sum over
// products of them that stays above, in every composition.
struct LossAtoms {
  std::vector<double> losses;  // rising
  std::vector<double> masses;
  double infinite_mass;
};

}  // namespace vernier::accounting
