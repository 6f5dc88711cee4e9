#pragma once

#include <vector>

namespace vernier::accounting {

// A finite law of losses that stands above a release, at every epsilon and in every composition: the loss is infinite
// with chance infinite_mass, else it is a loss with a chance proportional to its mass. (The masses sum to a little less
// than the rest, by rounding; scaling them up to it is on the safe side.)
struct LossAtoms {
  std::vector<double> losses;  // rising
  std::vector<double> masses;  // above 0; with the infinite mass their exact sum is at most 1
  double infinite_mass;
};

}  // namespace vernier::accounting
