#pragma once

#include <cmath>
#include <optional>

// Where a falling quantity comes down to a target: first about where, by plain doubles, then certified. The
// certificate is a predicate holds(x) that is true only where the quantity certainly is at most the target.
namespace vernier::numeric {

// An abscissa with the quantity's excess over the target there: above 0 it is still too large.
struct Excess {
  double x;
  double excess;
};

struct CrossingTolerance {
  double relative;  // of abscissas
  double absolute;  // of abscissas
  double excess;    // an excess of this size counts as 0
};

// About where the excess comes down to 0 between left (excess > 0) and right (excess <= 0): the Illinois rule, and the
// middle after every four steps that did not shorten the bracket to a quarter, so that cliffs cost little more than
// bisection does. At most 300 evaluations.
template <class Function>
double approximate_crossing(const Function& excess, Excess left, Excess right, const CrossingTolerance& tolerance) {
  double width = right.x - left.x;
  int side = 0;
  for (int step = 1; step <= 300; ++step) {
    if (right.x - left.x <= tolerance.relative * std::fabs(right.x) + tolerance.absolute) break;
    double x = left.x + (right.x - left.x) * (left.excess / (left.excess - right.excess));
    const bool slow = step % 5 == 0 && right.x - left.x > 0.25 * width;
    if (step % 5 == 0) width = right.x - left.x;
    if (slow || !(x > left.x && x < right.x)) x = 0.5 * (left.x + right.x);
    if (!(x > left.x && x < right.x)) break;
    const double value = excess(x);
    if (std::fabs(value) <= tolerance.excess) return x;
    if (value > 0) {
      left = {x, value};
      if (side == 1) right.excess *= 0.5;
      side = 1;
    } else {
      right = {x, value};
      if (side == -1) left.excess *= 0.5;
      side = -1;
    }
  }
  return right.x;
}

// holds(no) was seen to be false, holds(yes) to be true, 0 <= no < yes <= no (1 + relative).
struct Bracket {
  double no;
  double yes;
};

inline constexpr double first_certified_step = 0x1p-43;

// Both sides of the crossing from a guess > 0: outward in growing steps, then the middle again and again. None where
// holds is false up to twice the guess, or true down to 0.
template <class Holds>
std::optional<Bracket> certified_crossing(const Holds& holds, double guess, double relative) {
  const auto moved = [guess](double step) { return guess * (1 + step); };
  Bracket bracket{moved(-first_certified_step), moved(first_certified_step)};
  double step = first_certified_step;
  if (!holds(bracket.yes)) {
    do {
      if (step >= 1) return std::nullopt;
      bracket.no = bracket.yes;
      step *= 2;
      bracket.yes = moved(step);
    } while (!holds(bracket.yes));
  } else {
    while (holds(bracket.no)) {
      if (step >= 1) return std::nullopt;
      bracket.yes = bracket.no;
      step *= 2;
      bracket.no = moved(-step);
    }
  }
  while (bracket.yes - bracket.no > relative * bracket.no) {
    const double middle = bracket.no + 0.5 * (bracket.yes - bracket.no);
    if (!(middle > bracket.no && middle < bracket.yes)) break;
    (holds(middle) ? bracket.yes : bracket.no) = middle;
  }
  return bracket;
}

}  // namespace vernier::numeric
