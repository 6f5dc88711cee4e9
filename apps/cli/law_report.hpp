#pragma once

#include "cli/draws.hpp"
#include "cli/law_request.hpp"
#include "cli/output.hpp"

namespace vernier::cli {

// The answer to a request, as JSON or for a person as the request asks.
void write_report(Output& output, const LawRequest& request, const Draws& draws);

}  // namespace vernier::cli
