#pragma once

#include "vernier/core/result.hpp"
#include "vernier/privacy/parameters.hpp"

namespace vernier::mechanism {

// The least scale from which on every larger one satisfies the budget, rounded up: delta is certified at the very
// double that is returned, and is too large 1e-12 below it. For delta > 0.
Result<double> least_discrete_gaussian_scale(privacy::Epsilon epsilon, privacy::Delta delta,
                                             privacy::IntegerSensitivity sensitivity);

}  // namespace vernier::mechanism
