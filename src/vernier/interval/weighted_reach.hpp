#pragma once

#include <cstdint>

#include "vernier/core/types.hpp"
#include "vernier/noise/exponential.hpp"
#include "vernier/noise/rank_statistic.hpp"

// How far from the quantile of weighted rows ends are wanted: population_quantile.md, "Weighted rows".
namespace vernier::interval {

// How far D at the quantile of the population lies from 0, to either side, but for `rare` in all: so many rows at most,
// each with a weight of so many steps at most. From above.
Result<double> weighted_sampling_reach(const noise::RankStatistic& statistic, std::int64_t most_rows,
                                       std::int64_t heaviest, Probability rare);

// population_reach for ranks that count weights, in their steps. Not for MIN and MAX; no more rows than whose weights
// fit the statistic.
Result<std::int64_t> weighted_population_reach(const noise::Exponential& law, const noise::RankStatistic& statistic,
                                               Alpha alpha, std::int64_t most_rows, std::int64_t heaviest);

}  // namespace vernier::interval
