#pragma once

#include <vector>

#include "cli/calibrate/question.hpp"
#include "cli/output.hpp"
#include "plot/chart.hpp"

namespace vernier::cli {

// One object: the figures of the one answer, or {"sweep": KEY, "points": [...]} of such objects.
void write_json(Output& output, const CalibrateRequest& request, const std::vector<Answer>& answers);

// The answers to a request, as JSON or for a person as the request asks.
void write_report(Output& output, const CalibrateRequest& request, const std::vector<Answer>& answers);

// Accuracy against epsilon for every mechanism that takes the delta and the sensitivity of the answers, around the
// epsilons that these have.
Result<plot::Chart> calibrate_chart(const CalibrateRequest& request, const std::vector<Answer>& answers);

}  // namespace vernier::cli
