#pragma once

#include <vector>

#include "cli/calibrate_answer.hpp"
#include "plot/chart.hpp"

namespace vernier::cli {

// Accuracy against epsilon for every mechanism that takes the delta and the sensitivity of the answers, around the
// epsilons that these have.
Result<plot::Chart> calibrate_chart(const CalibrateRequest& request, const std::vector<Answer>& answers);

}  // namespace vernier::cli
