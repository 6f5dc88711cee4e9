#pragma once

#include "vernier/core/types.hpp"
#include "vernier/interval/combined_noise.hpp"

// How far noise and a normal variable together reach: N(0, v) + c . X, X independent draws of one integer law.
// population_mean.md has the formulas.
namespace vernier::interval {

template <class Law>
class SmoothedNoise {
 public:
  static SmoothedNoise of(const Law& law, Probability rare);

  // Whether P[abs(N(0, v) + c . X) >= t] <= rare for all variances v up to `variance` and all c up to `sizes`.
  bool rarely_reaches(double variance, const Coefficients& sizes, double t) const;

  // A t from which on it does, and but for one part in 2^16 the least such.
  double reach(double variance, const Coefficients& sizes) const;

 private:
  SmoothedNoise(const Law& law, double rare, double point) : law_(law), rare_(rare), point_(point) {}
  Law law_;
  double rare_;
  double point_;  // of the normal law: it lies within +- this but for `rare`
};

extern template class SmoothedNoise<noise::Geometric>;
extern template class SmoothedNoise<noise::DiscreteGaussian>;

// P[abs(N(0, v) + c . Y) > t] for independent Y of the Laplace law with scale 1, from above; sizes in any order.
double laplace_and_normal_outside(double variance, const Coefficients& sizes, double t);

}  // namespace vernier::interval
