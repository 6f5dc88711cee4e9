#pragma once

#include "vernier/accounting/loss/loss_part.hpp"

namespace vernier::accounting {

// All zCDP statements of a list, of this rho in sum, as one loss that is worse than every release with it, at deltas
// from `least_delta` on. zcdp_law.md.
LossPart zcdp_part(double rho, double least_delta);

}  // namespace vernier::accounting
