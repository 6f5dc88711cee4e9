#pragma once

#include <functional>
#include <span>

#include "vernier/plan/statistic/statistic.hpp"
#include "vernier/release/release.hpp"

namespace vernier::release {

// The published number of one group, from what its measurement gave with noise.
using NumberMaker = std::function<Result<Number>(std::span<const std::int64_t> noisy)>;

Number number_of(const plan::Estimate& estimate);

// What is published from a measurement of a statistic, with an interval at this level for the rows or for their
// population, as the statistic asks.
Result<NumberMaker> figure_maker(const plan::BoundStatistic& statistic, std::size_t measurement,
                                 const plan::PlannedStatistic& planned, Alpha level);

}  // namespace vernier::release
