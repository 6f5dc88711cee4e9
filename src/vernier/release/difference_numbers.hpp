#pragma once

#include <functional>
#include <span>

#include "vernier/release/release.hpp"

namespace vernier::release {

// The difference of two groups, from what a measurement gave with noise for each of them.
using DifferenceMaker = std::function<Result<Number>(std::span<const std::int64_t>, std::span<const std::int64_t>)>;

// Of the column that is published from a measurement of a statistic of the plan.
Result<DifferenceMaker> difference_maker(const plan::Plan& plan, std::size_t statistic, std::size_t measurement);

}  // namespace vernier::release
