#pragma once

#include "vernier/noise/rank_reach.hpp"
#include "vernier/plan/bound_study.hpp"

// Quantiles, MIN and MAX as questions about ranks.
namespace vernier::plan {

// The values of its argument, and what is asked of them.
Result<noise::RankGrid> rank_grid(const Measurement& measurement);
Result<noise::RankStatistic> rank_statistic(const Measurement& measurement);

// Every number of ranks moves as a sum of values from -a to b - a does, a / b the fraction; with the reach, where that
// grows with the rows, as a sum of values that are so much larger.
Result<Sensitivity> rank_sensitivity(const Measurement& measurement, Contribution, Groups, privacy::Neighbours);

}  // namespace vernier::plan
