#pragma once

#include "vernier/privacy/parameters.hpp"

// The scales that the three calibrations give for a budget, rounded up. gaussian.md has the reasons.
namespace vernier::mechanism {

// The least sigma that is (epsilon, delta)-private, at most 1e-12 above it, certified at the very double returned.
// Needs delta above 0.
Result<Sigma> analytic_sigma(privacy::Epsilon epsilon, privacy::Delta delta, privacy::L2Sensitivity sensitivity);

// The same from any guess at all, by balls alone: the least double that certainly is private. Slow (milliseconds).
Result<Sigma> analytic_sigma_by_balls(privacy::Epsilon epsilon, privacy::Delta delta,
                                      privacy::L2Sensitivity sensitivity, double guess);

// sensitivity / epsilon times c, where c^2 = 2 ln(1.25 / delta), or 2 ln(sqrt(2 / pi) / delta) + 8/9 before Dwork and
// Roth round it up to the former. Their proof needs epsilon < 1; the caller sees to it.
Result<Sigma> classical_sigma(privacy::Epsilon epsilon, privacy::Delta delta, privacy::L2Sensitivity sensitivity);
Result<Sigma> dwork_roth_sigma(privacy::Epsilon epsilon, privacy::Delta delta, privacy::L2Sensitivity sensitivity);

}  // namespace vernier::mechanism
