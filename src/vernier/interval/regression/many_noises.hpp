#pragma once

#include <span>
#include <vector>

#include "vernier/interval/relation/pair_noise.hpp"

// How far a combination of many independent noises of one law reaches: regression.md.
namespace vernier::interval {

// P[abs(c . Y) > t] of independent Laplace variables Y of scale 1, from above, for coefficients of these sizes.
class LaplaceTail {
 public:
  // Near the level one part in 2^10 or so above the truth, where roundings allow for it; else by Chernoff's bound.
  LaplaceTail(std::span<const double> sizes, double level);

  double outside(double t) const;
  double far() const { return far_; }  // the tail is at most the level there

 private:
  void tabulate(std::span<const double> sizes, double level);
  double far_ = 0, greatest_ = 0, step_ = 0, charge_ = 0;
  std::vector<double> weights_;  // of the sines
};

// Noise on sums in which a row has a weight of so many steps; in rows, at one level.
class ManyNoises {
 public:
  static ManyNoises of(const PairLaw& law, std::int64_t weight, Alpha alpha);

  // Whether P[abs(c . X) >= t] <= alpha is certain for all coefficients up to these sizes.
  bool rarely_reaches(std::span<const double> sizes, double t) const;

  // A t from which on it is certain: about the least; and one that is quickly found, by Chernoff's bound. Both are
  // monotone in every size and grow in proportion to all of them.
  double reach(std::span<const double> sizes) const;
  double quick_reach(std::span<const double> sizes) const;

  double variance() const { return variance_; }  // of one noise

 private:
  ManyNoises() = default;
  double steps_of(std::span<const double> sizes) const;
  bool is_normal_ = false;
  double alpha_ = 0, scale_ = 0, step_ = 0, point_ = 0, variance_ = 0;
};

}  // namespace vernier::interval
