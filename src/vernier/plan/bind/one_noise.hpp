#pragma once

#include "vernier/plan/bound_study.hpp"

namespace vernier::plan {

// Whether what a way releases together is wanted together: with a weight for all; and with a budget for those of its
// columns that state no accuracy, where others do.
bool has_one_noise(const BoundStatistic& statistic, bool has_budget);

}  // namespace vernier::plan
