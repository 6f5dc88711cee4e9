#pragma once

#include "vernier/core/types.hpp"
#include "vernier/privacy/parameters.hpp"

namespace vernier::mechanism {

// The least epsilon with delta(epsilon) <= delta of discrete Gaussian noise, 0 included: certified from both sides, at
// most 1e-12 apart relatively. For delta > 0.
Bounds least_discrete_gaussian_epsilon(double scale, privacy::IntegerSensitivity sensitivity, double delta);

}  // namespace vernier::mechanism
