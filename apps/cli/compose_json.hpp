#pragma once

#include "cli/compose_answer.hpp"
#include "cli/output.hpp"

namespace vernier::cli {

// One object: epsilon and delta, one of them with both its ends; where a scale was found, the scale, the budget asked
// and the guarantee at that scale; then the methods and the events.
void write_json(Output& output, const ComposeRequest& request, const ComposeAnswer& answer);

}  // namespace vernier::cli
