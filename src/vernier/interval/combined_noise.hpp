#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "vernier/core/types.hpp"
#include "vernier/interval/mean_nodes.hpp"
#include "vernier/noise/discrete_gaussian.hpp"
#include "vernier/noise/geometric.hpp"

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

}  // namespace vernier::interval
