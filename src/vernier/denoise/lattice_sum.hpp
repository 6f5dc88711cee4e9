#pragma once

#include <optional>
#include <vector>

#include "vernier/core/types.hpp"
#include "vernier/denoise/weighted_noise.hpp"

namespace vernier::denoise {

// A t with P[abs(sum) > t] <= alpha for certain, by adding one term after the other on a grid so fine that about `work`
// additions are made, every value rounded up to it: weighted_noise.md. None where the grid would be too coarse to be
// worth it. `deviation` is about that of the sum.
std::optional<double> reach_by_sum(const std::vector<Term>& terms, Alpha alpha, double deviation, double work);

}  // namespace vernier::denoise
