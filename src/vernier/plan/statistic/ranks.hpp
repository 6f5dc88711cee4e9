#pragma once

#include "vernier/interval/rows/quantile.hpp"
#include "vernier/noise/rank_reach.hpp"
#include "vernier/plan/statistic/parts.hpp"

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

// What was found in steps of the grid.
Estimate ranked_estimate(const interval::QuantileInterval& found, const Measurement& measurement,
                         interval::Covers covers);

}  // namespace vernier::plan
