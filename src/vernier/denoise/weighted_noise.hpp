#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "vernier/core/types.hpp"
#include "vernier/noise/discrete_gaussian.hpp"
#include "vernier/noise/geometric.hpp"

// How far a sum of weight * noise reaches, for many independent draws of integer laws, each of its own scale.
// weighted_noise.md has the proofs.
namespace vernier::denoise {

using IntegerLaw = std::variant<noise::Geometric, noise::DiscreteGaussian>;

double variance_of(const IntegerLaw& law);  // from above
bool are_alike(const IntegerLaw& first, const IntegerLaw& second);

// The sum is further from 0 with probability alpha at most.
struct Reach {
  double proven;  // for every choice of weights and scales
  double tested;  // never above proven. All draws discrete Gaussian: z_(alpha/2) deviations and half of the largest
                  // weight, never refuted; else the proven one
};

// Draws of one law and one size of weight. Their signs are of no account, as the laws are symmetric.
struct Term {
  bool is_geometric;
  double scale;
  double size;  // raised by a part in 2^40 at most, so that nearly equal ones are put together
  std::int64_t draws;
  friend auto operator<=>(const Term&, const Term&) = default;
};

// One law per weight; weights are finite. Those of 0 are left out.
std::vector<Term> terms_of(std::span<const double> weights, std::span<const IntegerLaw> laws);

// About so many additions are made at most, 1e8 taking some tenths of a second; the more, the shorter is the proven
// reach of small scales. It holds whatever they are.
Reach reach_of(const std::vector<Term>& terms, Alpha alpha, double work = 3e7);

// A t with P[abs(sum) > t] <= alpha for certain, by adding one term after the other on a grid so fine that about `work`
// additions are made, every value rounded up to it: weighted_noise.md. None where the grid would be too coarse to be
// worth it. `deviation` is about that of the sum.
std::optional<double> reach_by_sum(const std::vector<Term>& terms, Alpha alpha, double deviation, double work);

}  // namespace vernier::denoise
