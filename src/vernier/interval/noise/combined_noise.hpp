#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <optional>
#include <vector>

#include "vernier/core/types.hpp"
#include "vernier/interval/noise/mean_nodes.hpp"
#include "vernier/noise/discrete_gaussian.hpp"
#include "vernier/noise/geometric.hpp"
#include "vernier/numeric/normal.hpp"

// How far a combination c . X of independent draws of one integer law reaches. combined_noise.md has the proofs.
namespace vernier::interval {

using Coefficients = std::array<double, most_nodes>;  // those beyond the count are 0

// All coefficients between two: c = (1 - s) first + s last, 0 <= s <= 1. Each is known to 2^-50, relatively.
struct Segment {
  Coefficients first, last;
};

// The masses of an integer law near 0, from above, as doubles.
class NoiseTable {
 public:
  // None when more than `most` masses are needed to leave at most `rest` outside.
  template <class Law>
  static std::optional<NoiseTable> of(const Law& law, Probability rest, std::int64_t most);

  std::int64_t reach() const { return reach_; }
  double outside() const { return outside_; }                                         // P[abs(X) > reach]
  double mass(std::int64_t j) const { return masses_[static_cast<std::size_t>(j)]; }  // P[X = j], 0 <= j <= reach
  double from(double m) const;                                                        // P[X >= m], m a whole number

 private:
  NoiseTable(std::vector<double> masses, double outside);
  std::int64_t reach_;
  double outside_;
  std::vector<double> masses_;
  std::vector<double> from_;  // from -reach to reach + 1
};

template <class Law>
class CombinedNoise {
 public:
  // For combinations of at most `count` draws.
  static CombinedNoise of(const Law& law, Alpha alpha, std::size_t count);

  // Whether P[abs(c . X) >= t] <= alpha is certain for every c of the segment. What is not certain counts as no.
  bool rarely_reaches(const Segment& segment, double t) const;

  // A t from which on it is certain at c, and but for one part in 2^20 the least such.
  double reach(const Coefficients& c) const;

  const Law& law() const { return law_; }
  bool is_enumerated() const { return table_.has_value(); }

 private:
  CombinedNoise(const Law& law, Alpha alpha) : law_(law), alpha_(alpha.value()) {}
  Law law_;
  double alpha_;
  double point_ = 0;  // of the normal law: it lies within +- this but for alpha
  std::optional<NoiseTable> table_;
};

extern template class CombinedNoise<noise::Geometric>;
extern template class CombinedNoise<noise::DiscreteGaussian>;

// Upper bounds on P[abs(c . Y) > t] for independent Y over the reals, with abs(c) as given or smaller, t >= 0: Laplace
// of scale 1 and standard normal.
double laplace_combination_outside(const Coefficients& sizes, double t);
double normal_combination_outside(const Coefficients& sizes, double t);

// One-sided tails of combinations of the laws over the reals, in nanoseconds.
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

// ---- how far noise and a normal variable together reach: N(0, v) + c . X, X independent draws of one integer law.
// population/mean.md has the formulas.

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
