#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "vernier/interval/combined_noise.hpp"
#include "vernier/numeric/mills.hpp"

// One-sided tails of combinations of the laws over the reals, in nanoseconds.
namespace vernier::interval {

inline constexpr double outside_error = 1e-12;  // relative, at most

// P[abs(c . Y) > t] from above for c up to these sizes, t >= 0; Y Laplace of scale 1, or standard normal.
inline double outside_of_reals(const noise::Geometric&, const Coefficients& sizes, double t) {
  return laplace_combination_outside(sizes, t);
}
inline double outside_of_reals(const noise::DiscreteGaussian&, const Coefficients& sizes, double t) {
  constexpr double farthest = 37;  // deviations; beyond, the tail there serves
  const double norm = std::sqrt(sizes[0] * sizes[0] + sizes[1] * sizes[1] + sizes[2] * sizes[2]);
  if (norm == 0) return 0;
  const double x = std::min(t / norm, farthest);
  return std::sqrt(2 / std::numbers::pi) * std::exp(-x * x / 2) * numeric::mills(x) * (1 + outside_error);
}

// P[c . Y >= u] from above for all c between the sizes. The least of three lower sizes must be at most 4/5 of their
// greatest, or 0.
template <class Law>
double tail_of_reals(const Law& law, const Coefficients& least, const Coefficients& greatest, double u) {
  if (u > 0) return outside_of_reals(law, greatest, u) / 2;
  return 1 - outside_of_reals(law, least, -u) / 2 * (1 - 10 * outside_error);
}

}  // namespace vernier::interval
