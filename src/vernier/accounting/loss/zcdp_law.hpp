#pragma once

#include <vector>

#include "vernier/accounting/loss/atoms_law.hpp"
#include "vernier/accounting/loss/loss_law.hpp"
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

// A finite law that stands above every release which is rho-zCDP in both directions, so that it composes with loss
// laws. Sum all rhos first: the law of the sum is far closer than a composition of laws. It follows the tight
// conversion within about 0.1 %, down to the delta `least`, at which the rest of the mass becomes infinite: choose it
// some 1e-9 times the delta that is asked. zcdp_law.md has the proof. rho between 1e-20 and 1e8; least from 1e-300 to
// below 1.
LossAtoms zcdp_law(double rho, double least);

// All zCDP statements of a list, of this rho in sum, as one loss that is worse than every release with it, at deltas
// from `least_delta` on. zcdp_law.md.
LossPart zcdp_part(double rho, double least_delta);

}  // namespace vernier::accounting
