#pragma once

#include <optional>

#include "vernier/core/types.hpp"

// The least epsilon of Gaussian noise at a delta above 0, from both sides; gaussian.md has the proof.
namespace vernier::mechanism {

// In plain doubles where they do, else by balls.
Result<Bounds> gaussian_epsilon(double sigma, double sensitivity, double delta);

// By balls alone, from any guess that is not negative.
Result<Bounds> gaussian_epsilon_by_balls(double sigma, double sensitivity, double delta, double guess);

}  // namespace vernier::mechanism
