#pragma once

#include <algorithm>
#include <cmath>

#include "vernier/accounting/pure_loss.hpp"
#include "vernier/core/types.hpp"

// Where the delta of a law of losses comes down to a target; the Law has `tail` and `delta` as BinomialLoss has them.
namespace vernier::accounting {

// About where, between 0 and the greatest loss: Newton's steps for ln delta from afar, then for delta as a function of
// e^epsilon, which is straight between two losses; the middle where a step leaves the bracket.
template <class Law>
double approximate_epsilon(const Law& law, double log_target, double epsilon, double greatest_loss) {
  Bounds bracket{0, greatest_loss};
  for (int i = 0; i < 100; ++i) {
    const LossTail here = law.tail(epsilon);
    const double excess = here.log_delta - log_target;
    if (std::fabs(excess) <= 1e-10) break;
    (excess > 0 ? bracket.lower : bracket.upper) = epsilon;
    const double growth = -std::expm1(-excess) / here.relative_fall;  // of e^epsilon, by a straight line
    const bool near = std::fabs(excess) <= 0.5 && growth > -0.5;
    const double next = epsilon + (near ? std::log1p(growth) : excess / here.relative_fall);
    const bool inside = next > bracket.lower && next < bracket.upper;
    epsilon = inside ? next : 0.5 * (bracket.lower + bracket.upper);
    if (bracket.upper - bracket.lower <= 0x1p-52 * epsilon) break;
  }
  return epsilon;
}

// From a guess outward in growing steps: an epsilon at which delta was seen to be at least the target, else 0;
template <class Law>
double seen_below(const Law& law, double target, double guess, double step) {
  for (; step < 1; step *= 4) {
    const double epsilon = guess * (1 - step);
    if (law.delta(epsilon).lower >= target) return epsilon;
  }
  return 0;
}

// and one at which it was seen to be at most the target, else the greatest loss.
template <class Law>
double seen_above(const Law& law, double target, double guess, double step, double greatest_loss) {
  for (; step < 0x1p20; step *= 4) {
    const double epsilon = guess * (1 + step);
    if (!(epsilon < greatest_loss)) break;
    if (law.delta(epsilon).upper <= target) return epsilon;
  }
  return greatest_loss;
}

// Bounds of the least epsilon with delta(epsilon) <= target, for 0 < target. Each end was seen to hold by certified
// deltas, or is 0 or the greatest loss, so that a bad guess costs time and width, never truth.
template <class Law>
Bounds certified_epsilon(const Law& law, double target, double guess, double greatest_loss) {
  const bool may_be_zero = law.tail(0).log_delta <= std::log(target) + 0.01;
  if (may_be_zero && law.delta(0).upper <= target) return {0, 0};
  const double near = approximate_epsilon(law, std::log(target), guess, greatest_loss);
  const Bounds there = law.delta(near);
  const double fall = law.tail(near).relative_fall * there.upper;
  const double corrected = near + std::log1p((0.5 * (there.lower + there.upper) - target) / fall);
  const double epsilon = corrected > 0 && corrected < greatest_loss ? corrected : near;
  const double least_step = std::max(0x1p-50, 2 * (there.upper - there.lower) / (fall * epsilon));
  return {seen_below(law, target, epsilon, least_step), seen_above(law, target, epsilon, least_step, greatest_loss)};
}

}  // namespace vernier::accounting
