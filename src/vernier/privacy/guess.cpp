#include "vernier/privacy/guess.hpp"

#include <algorithm>

#include "vernier/numeric/rounding.hpp"

namespace vernier::privacy {

using numeric::add_up;
using numeric::divide_down;
using numeric::exp_down;
using numeric::exp_up;
using numeric::multiply_down;
using numeric::multiply_up;
using numeric::subtract_down;
using numeric::subtract_up;

// 1 - (1 - delta) / (1 + e^epsilon), in which nothing overflows that matters.
double guess_chance(double epsilon, double delta) {
  const double right = divide_down(subtract_down(1, delta), add_up(1, exp_up(epsilon)));
  return std::clamp(subtract_up(1, right), 0.5, 1.0);
}

double found_chance(double epsilon, double delta, double wrongly) {
  const double direct = add_up(multiply_up(exp_up(epsilon), wrongly), delta);
  const double kept = std::max(0.0, subtract_down(subtract_down(1, wrongly), delta));
  const double mirrored = subtract_up(1, multiply_down(exp_down(-epsilon), kept));
  return std::clamp(std::min(direct, mirrored), 0.0, 1.0);
}

}  // namespace vernier::privacy
