#pragma once

#include "vernier/plan/plan.hpp"

namespace vernier::plan {

// The chance that a group is published, for 1 unit, for the sizes at which it passes 1, 5, 50, 95 and 99 in a hundred,
// and for the round sizes (1, 2 and 5 times powers of ten) between these.
std::vector<PublishedChance> forecast(const Law& law, std::int64_t threshold);

}  // namespace vernier::plan
