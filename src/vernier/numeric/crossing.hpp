#pragma once

#include <cmath>

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

// holds is false at no and true at yes, no < yes.
struct Bracket {
  double no;
  double yes;
};

inline constexpr double first_certified_step = 0x1p-43;

// Both sides of the crossing, at most `relative` apart, within a bracket that is known to enclose it: from the guess
// outward in growing steps, then the middle again and again. Each side was seen, unless it is the known one. At most 44
// steps outward, and as many inward as halve the bracket to `relative`.
template <class Holds>
Bracket certified_crossing(const Holds& holds, Bracket known, double guess, double relative) {
  const auto see = [&](double x) {
    if (!(x > known.no && x < known.yes)) return;
    (holds(x) ? known.yes : known.no) = x;
  };
  for (double step = first_certified_step; step < 1; step *= 2) {
    const double above = guess * (1 + step), below = guess * (1 - step);
    see(above);
    see(below);
    if (known.yes <= above && known.no >= below) break;
  }
  while (known.yes - known.no > relative * known.no) {
    const double middle = known.no + 0.5 * (known.yes - known.no);
    if (!(middle > known.no && middle < known.yes)) break;
    see(middle);
  }
  return known;
}

}  // namespace vernier::numeric
