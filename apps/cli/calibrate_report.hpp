#pragma once

#include <vector>

#include "cli/calibrate_answer.hpp"
#include "cli/output.hpp"

namespace vernier::cli {

// The answers to a request, as JSON or for a person as the request asks.
void write_report(Output& output, const CalibrateRequest& request, const std::vector<Answer>& answers);

}  // namespace vernier::cli
