#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "vernier/core/types.hpp"
#include "vernier/noise/discrete_gaussian.hpp"
#include "vernier/noise/geometric.hpp"

// How far a combination of the noises of a pair's nine node sums reaches. relation.md has the proofs.
namespace vernier::interval {

inline constexpr std::size_t pair_nodes = 9;       // node i of x and j of y stands at 3 i + j
using PairSizes = std::array<double, pair_nodes>;  // of coefficients: they are at most so large

// A law over the integers as what it is compared with: the law over the reals of the same scale, from which a draw is
// at most 1 away (noise/combined_noise.md).
struct PairLaw {
  bool is_normal;  // else Laplace
  double scale;

  double variance() const { return (is_normal ? 1 : 2) * scale * scale; }
};
PairLaw pair_law(const noise::Geometric& law);
PairLaw pair_law(const noise::DiscreteGaussian& law);

// Sums of independent Laplace variables as a mixture of exponentials, P[abs(c . Y) > t] = sum of w_i exp(-t / b_i), in
// sizes that were raised until the weights can be trusted.
class LaplaceMixture {
 public:
  // At most `error` of a tail comes from roundings, if that can be had by raising sizes by a tenth; else tails are no
  // more than Chernoff's bound either, which has no error that stays as they vanish.
  LaplaceMixture(const PairSizes& sizes, double error);
  double outside(double t) const;  // from above, for t >= 0; scale 1

 private:
  void set_apart(double factor);
  double chernoff(double t) const;
  PairSizes sizes_, given_{}, weights_{};
  std::size_t count_ = 0;
  double error_ = 0;
  bool is_rough_ = false;  // roundings are more than was asked for
};

// Noise on sums in which a row has a weight of so many steps; in rows, at one level.
class PairNodeNoise {
 public:
  static PairNodeNoise of(const PairLaw& law, std::int64_t weight, Alpha alpha);

  // Whether P[abs(c . X) >= t] <= alpha is certain for all coefficients up to these sizes.
  bool rarely_reaches(const PairSizes& sizes, double t) const;

  // A t from which on it is certain, and but for one part in 2^16 the least such.
  double reach(const PairSizes& sizes) const;

  double variance() const { return variance_; }  // of one noise

 private:
  PairNodeNoise() = default;
  double left(const PairSizes& sizes, double t) const;
  bool is_normal_ = false;
  double alpha_ = 0, scale_ = 0, step_ = 0, point_ = 0, variance_ = 0;
};

}  // namespace vernier::interval
