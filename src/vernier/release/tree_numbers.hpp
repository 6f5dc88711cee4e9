#pragma once

#include "vernier/plan/plan.hpp"
#include "vernier/release/number_maker.hpp"

namespace vernier::release {

// From the ends that were read from a tree of noisy counts to one of its quantiles. An error where they can be no ends.
Result<NumberMaker> tree_maker(const plan::BoundStatistic& statistic, std::size_t measurement, const plan::Law& law);

}  // namespace vernier::release
