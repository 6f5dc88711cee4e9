#pragma once

#include "cli/compose_answer.hpp"
#include "cli/output.hpp"

namespace vernier::cli {

// The answer to a request, as JSON or for a person as the request asks.
void write_report(Output& output, const ComposeRequest& request, const ComposeAnswer& answer);

}  // namespace vernier::cli
