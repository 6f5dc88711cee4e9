#pragma once

#include "vernier/plan/statistic/parts.hpp"

namespace vernier::plan {

// A total of a population whose keys are private, given that they were published (interval/population/published.md);
// weighted rows are refused.
Result<Estimator> published_total(const Measured& in, const PlannedStatistic& planned, Alpha level);

}  // namespace vernier::plan
