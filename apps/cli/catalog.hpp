#pragma once

#include "cli/arguments.hpp"
#include "cli/output.hpp"
#include "vernier/core/result.hpp"

namespace vernier::cli {

// `vernier catalog new` and `vernier catalog check`: what a steward declares.
Usage catalog_usage();
Result<void> run_catalog(const Arguments& arguments, Output& output);

}  // namespace vernier::cli
