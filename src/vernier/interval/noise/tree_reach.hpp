#pragma once

#include <cstdint>
#include <vector>

#include "vernier/core/types.hpp"
#include "vernier/noise/count_tree.hpp"
#include "vernier/noise/discrete_gaussian.hpp"
#include "vernier/noise/geometric.hpp"
#include "vernier/noise/rank_statistic.hpp"
#include "vernier/numeric/rational.hpp"

// How far the noise of a tree of counts moves the ends of a quantile's interval: known before any data.
// tree_quantile.md has the proofs.
namespace vernier::interval {

// In units of 1 / (2 denominator) of a rank.
struct TreeReaches {
  std::int64_t ends;   // with this reach the ends cover with probability 1 - alpha
  std::int64_t noise;  // with probability 1 - alpha no number between the ends is further off than both together

  friend bool operator==(const TreeReaches&, const TreeReaches&) = default;
};

// No number between the ends is further from the quantile than this, in ranks: exactly.
numeric::Rational ranks_of(const TreeReaches& reaches, const noise::RankStatistic& statistic);

class TreeReach {
 public:
  // `statistic` is a quantile over the points of `tree`.
  static TreeReach of(const noise::RankStatistic& statistic, const noise::CountTree& tree, Alpha alpha);

  // An error where the noise is too large for 64 bits.
  Result<TreeReaches> at(const noise::Geometric& law) const;
  Result<TreeReaches> at(const noise::DiscreteGaussian& law) const;

  // About by how much a discrete Gaussian scale may be larger than a geometric one for the same reach.
  double gaussian_advantage() const;

 private:
  // Draws of the noise at a boundary, and how many such boundaries may not be far off.
  struct Level {
    double draws;  // of weight `weight_`; those of weight `top_weight_` come on top
    double boundaries;
  };
  // A reach for laws over the reals of scale 1, all boundaries taken together.
  struct Unit {
    double boundaries;
    double laplace, normal;
  };

  TreeReach(const noise::RankStatistic& statistic, const noise::CountTree& tree, Alpha alpha);
  Unit unit_of(const std::vector<Level>& levels) const;
  double laplace_outside(const std::vector<Level>& levels) const;
  double normal_outside(const std::vector<Level>& levels) const;
  double squares(double draws) const;  // of all weights at a boundary
  double geometric_reach(double scale, const Unit& unit) const;
  double gaussian_reach(double scale, const Unit& unit) const;
  double by_moments(double scale, const Unit& unit) const;

  double alpha_;
  double top_draws_, top_weight_, weight_;
  double most_draws_ = 0;  // of weight `weight_`, at a boundary
  Unit ends_{}, noise_{};
};

}  // namespace vernier::interval
