#pragma once

#include "cli/arguments.hpp"
#include "cli/output.hpp"
#include "vernier/core/result.hpp"

namespace vernier::cli {

// `vernier audit`: this installation tries to refute its own privacy.
Usage audit_usage();
Result<void> run_audit(const Arguments& arguments, Output& output);

}  // namespace vernier::cli
