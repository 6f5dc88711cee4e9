#pragma once

#include <array>
#include <vector>

#include "vernier/interval/noise/tree_reach.hpp"
#include "vernier/plan/statistic/quantile.hpp"

// Several quantiles of one argument from one tree of noisy counts: noise/count_tree.md.
namespace vernier::plan {

// From so many different fractions on one tree is more accurate than a choice for each: docs/theory/quantile.md.
inline constexpr std::size_t least_tree_fractions = 4;

// What is read from a tree for each fraction: two ends, and the value between them.
inline constexpr std::size_t tree_points = 3;

// Makes the quantiles of an argument, where there are so many, share one tree: the first of them is measured, with
// three points for each fraction, and is the source of the others. Not where intervals are about a population.
Result<void> share_trees(BoundStatistic& statistic);

// The fractions of all that is published from the tree at this place, each once, in the order in which they are asked.
std::vector<query::Fraction> tree_fractions(const BoundStatistic& statistic, std::size_t place);

// The place among them of a measurement that is made from a tree.
std::size_t tree_slot(const BoundStatistic& statistic, std::size_t measurement);

// Whether measurements that are made from the tree at this place are as share_trees would make them.
bool is_tree_as_shared(const BoundStatistic& statistic, std::size_t place);

Result<noise::CountTree> tree_shape(const Measurement& measurement);

// Every row is in one node of each level: bounding.md.
Result<Sensitivity> tree_sensitivity(const Measurement& measurement, Contribution, Groups, privacy::Neighbours);

Result<interval::TreeReach> tree_reach(const Measurement& measurement, Alpha alpha);
Result<interval::TreeReaches> tree_reaches(const Measurement& measurement, const AdditiveLaw& law, Alpha alpha);

// The largest scale of each law, but for one part in 2^20, that keeps within so many ranks. The subject of an error,
// the column, is for the caller to add.
Result<std::array<double, 2>> tree_scales(const Measurement& measurement, const numeric::Rational& ranks, Alpha alpha);

struct QuantileTree {
  Measured in;

  static constexpr MeasurementKind kind{"quantile-tree"};
  static constexpr std::array kinds = {kind};
  static constexpr std::array served = {Served{query::Aggregate::quantile, Quantile::quantile}};
  static constexpr Sharing sharing = Sharing::same_sums;
  static constexpr GridNumbers numbers = GridNumbers::bounds;
  static constexpr bool has_histogram = true;

  bool is_as_shared() const { return is_tree_as_shared(in.statistic, in.place); }
  std::size_t width() const { return tree_points * tree_fractions(in.statistic, in.place).size(); }
  Result<Sensitivity> sensitivity() const;
  Range range() const;
  Brought brought() const { return {{value_grid(in.one)}, {}}; }

  Result<Told> told(const Law& law, Alpha alpha) const;
  Result<Scales> scales_for(const numeric::Rational& target, Alpha alpha) const;
  Result<std::int64_t> steps_for(const numeric::Rational& target, Alpha alpha) const;  // of one count
  Result<Scales> free_scales(const Scales& about, Alpha level) const;
  double published_scale(double scale) const { return scale; }  // of rows
  Result<Drawing> drawing(const Law& law, Alpha level) const;
  Result<Estimator> estimator(const Law& law, Alpha level, std::optional<std::int64_t> threshold) const;
};

}  // namespace vernier::plan
