#pragma once

#include <array>
#include <vector>

#include "vernier/interval/noise/tree_reach.hpp"
#include "vernier/noise/rank_reach.hpp"
#include "vernier/plan/bound_study.hpp"
#include "vernier/plan/plan.hpp"

// Quantiles, MIN and MAX as questions about ranks.
namespace vernier::plan {

// The values of its argument, and what is asked of them.
Result<noise::RankGrid> rank_grid(const Measurement& measurement);
Result<noise::RankStatistic> rank_statistic(const Measurement& measurement);

// Every number of ranks moves as a sum of values from -a to b - a does, a / b the fraction, together with a reach that
// grows with the rows; times the greatest weight, where rows are weighted.
Result<Sensitivity> rank_sensitivity(const Measurement& measurement, Contribution, Groups, privacy::Neighbours,
                                     std::int64_t heaviest = 1);

// Whether ranks that count weights stay within 61 bits, and points with their weights within 62, whatever the rows are.
bool weighted_ranks_fit(const BoundStatistic& statistic, const Measurement& measurement);

// Whether a value is chosen together with its interval, as for a quantile of the rows, and not ends alone.
bool has_chosen_value(const Measurement& measurement);

// Integers that are chosen for each group: two ends, and a value where there is one.
std::size_t rank_width(const Measurement& measurement);

// Several quantiles of one argument from one tree of noisy counts: noise/count_tree.md.

// From so many different fractions on one tree is more accurate than a choice for each: docs/theory/quantile.md.
inline constexpr std::size_t least_tree_fractions = 4;

// Makes the quantiles of an argument, where there are so many, share one tree: the first of them is measured, with two
// ends for each fraction, and is the source of the others. Not where intervals are about a population.
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

// The largest scale of each law, but for one part in 2^20, that keeps within so many ranks. The sentence of an error is
// the end of one that names the column.
Result<std::array<double, 2>> tree_scales(const Measurement& measurement, const numeric::Rational& ranks, Alpha alpha);

}  // namespace vernier::plan
