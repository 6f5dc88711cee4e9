#pragma once

#include "vernier/accounting/loss/loss_atoms.hpp"

namespace vernier::accounting {

// A finite law that stands above every release which is rho-zCDP in both directions, so that it composes with loss
// laws. Sum all rhos first: the law of the sum is far closer than a composition of laws. It follows the tight
// conversion within about 0.1 %, down to the delta `least`, at which the rest of the mass becomes infinite: choose it
// some 1e-9 times the delta that is asked. zcdp_law.md has the proof. rho between 1e-20 and 1e8; least from 1e-300 to
// below 1.
LossAtoms zcdp_law(double rho, double least);

}  // namespace vernier::accounting
