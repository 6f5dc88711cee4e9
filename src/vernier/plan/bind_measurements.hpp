#pragma once

#include "vernier/plan/bound_study.hpp"

// The numbers of one statistic: what is counted, and what gets noise.
namespace vernier::plan {

// Fills arguments, tallies and measurements of a statistic whose other parts are there. An error names the published
// column.
Result<void> bind_measurements(BoundStatistic& statistic);

}  // namespace vernier::plan
