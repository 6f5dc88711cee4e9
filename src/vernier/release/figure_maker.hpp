#pragma once

#include "vernier/interval/population_quantile.hpp"
#include "vernier/release/number_maker.hpp"

namespace vernier::release {

// What is published from a measurement of a statistic, with an interval at this level for the rows or for their
// population, as the statistic asks.
Result<NumberMaker> figure_maker(const plan::BoundStatistic& statistic, std::size_t measurement,
                                 const plan::PlannedStatistic& planned, Alpha level);

// Of quantiles of the population: how far from those of the rows ends are wanted, and what they become.
Result<interval::PopulationQuantileInference> population_rank_inference(const plan::BoundStatistic& statistic,
                                                                        const plan::Measurement& measurement,
                                                                        const noise::Exponential& law, Alpha alpha);

}  // namespace vernier::release
