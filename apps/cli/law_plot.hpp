#pragma once

#include "cli/draws.hpp"
#include "plot/chart.hpp"
#include "vernier/core/result.hpp"
#include "vernier/noise/any_law.hpp"

namespace vernier::cli {

// The law and a histogram of the draws over each other, over the middle 99.9 % of the law.
Result<plot::Chart> law_chart(const noise::AnyLaw& law, const Draws& draws);

}  // namespace vernier::cli
