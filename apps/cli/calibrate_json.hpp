#pragma once

#include <vector>

#include "cli/calibrate_answer.hpp"
#include "cli/output.hpp"

namespace vernier::cli {

// One object: the figures of the one answer, or {"sweep": KEY, "points": [...]} of such objects.
void write_json(Output& output, const CalibrateRequest& request, const std::vector<Answer>& answers);

}  // namespace vernier::cli
