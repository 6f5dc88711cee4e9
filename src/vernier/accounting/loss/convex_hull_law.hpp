#pragma once

#include <vector>

#include "vernier/accounting/loss/loss_atoms.hpp"
#include "vernier/numeric/ball.hpp"

namespace vernier::accounting {

// A privacy curve U(x), the delta at epsilon = ln x, is known to be at most a number at one loss.
struct CurvePoint {
  double loss;          // epsilon, of any sign
  numeric::Ball delta;  // around that number
};

// The law of the greatest convex curve below the points, with delta = 1 at x = 0 and a constant beyond the last point.
// Every curve that lies below the points lies below it, since curves are convex and falling; zcdp_law.md has the proof.
// Points by rising loss.
LossAtoms convex_hull_law(const std::vector<CurvePoint>& points);

}  // namespace vernier::accounting
