#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "vernier/denoise/consistent.hpp"

namespace vernier::denoise {

// A tree whose every inner node has the same number of children and whose leaves lie at the same depth. Nodes are
// numbered from the root, level by level: the children of node v are branching * v + 1, ..., branching * v + branching.
class RegularTree {
 public:
  // At least 2 children and 2 levels, and at most 2^24 nodes.
  static Result<RegularTree> of(std::size_t branching, std::size_t levels);

  std::size_t nodes() const { return starts_.back(); }
  std::size_t leaves() const { return nodes() - starts_[levels() - 1]; }
  std::size_t levels() const { return starts_.size() - 1; }
  std::size_t branching() const { return branching_; }

  // Every node was measured with noise of its level's variance, from the root down. The estimates of least variance, by
  // a pass up and a pass down (Hay, Rastogi, Miklau and Suciu 2010, with variances of their own for the levels). Each
  // is the sum of its children's. One number per node, one positive variance per level.
  Result<std::vector<double>> estimates(std::span<const double> measured, std::span<const double> variances) const;
  Result<std::vector<double>> estimate_variances(std::span<const double> variances) const;  // of each level

  // Leaves are cells in their order; inner nodes are totals in theirs. For the intervals, by consistent.hpp.
  Layout layout() const;

 private:
  RegularTree(std::size_t branching, std::vector<std::size_t> starts)
      : branching_(branching), starts_(std::move(starts)) {}
  Result<void> examine(std::span<const double> variances) const;
  std::vector<double> upward_variances(std::span<const double> variances) const;
  std::size_t level_of(std::size_t node) const;

  std::size_t branching_;
  std::vector<std::size_t> starts_;  // the first node of each level, and the number of all
};

}  // namespace vernier::denoise
