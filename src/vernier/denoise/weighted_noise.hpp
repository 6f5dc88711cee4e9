#pragma once

#include <span>
#include <variant>

#include "vernier/core/types.hpp"
#include "vernier/noise/discrete_gaussian.hpp"
#include "vernier/noise/geometric.hpp"

// How far a sum of weight * noise reaches, for many independent draws of integer laws, each of its own scale.
// weighted_noise.md has the proofs.
namespace vernier::denoise {

using IntegerLaw = std::variant<noise::Geometric, noise::DiscreteGaussian>;

double variance_of(const IntegerLaw& law);  // from above

// The sum is further from 0 with probability alpha at most.
struct Reach {
  double proven;  // for every choice of weights and scales
  double tested;  // never above proven. All draws discrete Gaussian: z_(alpha/2) deviations and half of the largest
                  // weight, never refuted; else the proven one
};

// One law per weight; weights are finite.
Reach reach_of(std::span<const double> weights, std::span<const IntegerLaw> laws, Alpha alpha);

}  // namespace vernier::denoise
