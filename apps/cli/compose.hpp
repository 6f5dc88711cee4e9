#pragma once

#include "cli/arguments.hpp"
#include "cli/output.hpp"
#include "vernier/core/result.hpp"

namespace vernier::cli {

// `vernier compose`: what many releases cost together, with both bounds.
Usage compose_usage();
Result<void> run_compose(const Arguments& arguments, Output& output);

}  // namespace vernier::cli
