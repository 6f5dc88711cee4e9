#pragma once

#include <cstdint>
#include <vector>

#include "vernier/core/types.hpp"
#include "vernier/noise/discrete_gaussian.hpp"
#include "vernier/noise/geometric.hpp"

// How far a sum of independent draws of one integer law reaches to one side. noise_sum.md has the proofs.
namespace vernier::interval {

// Of `count` draws of the geometric law.
class GeometricSum {
 public:
  GeometricSum(const noise::Geometric& law, std::int64_t count);
  double tail(std::int64_t t) const;  // P[sum >= t] for t >= 1, from above

 private:
  double tail_by_reals(std::int64_t t) const;
  double scale_;
  std::int64_t count_;
  // Of a sum of one-sided draws, where the scale allows: P[N = m] and P[N >= m] from above, and what lies beyond.
  std::vector<double> masses_, from_;
  double beyond_ = 0;
};

// Of `count` draws of the discrete Gaussian law.
class DiscreteGaussianSum {
 public:
  DiscreteGaussianSum(const noise::DiscreteGaussian& law, std::int64_t count);
  double tail(std::int64_t t) const;

 private:
  double scale_;
  std::int64_t count_;
};

// A t >= 1 for which P[X_1 + ... + X_count >= t] <= p is certain, the least that the bounds above show; 1 for no draws.
std::int64_t sum_reach(const noise::Geometric& law, std::int64_t count, Probability p);
std::int64_t sum_reach(const noise::DiscreteGaussian& law, std::int64_t count, Probability p);

}  // namespace vernier::interval
