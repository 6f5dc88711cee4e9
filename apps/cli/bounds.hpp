#pragma once

#include "cli/arguments.hpp"
#include "cli/output.hpp"

// `vernier bounds`: bounds of a column, found privately.
namespace vernier::cli {

Usage bounds_usage();
Result<void> run_bounds(const Arguments& arguments, Output& output);

}  // namespace vernier::cli
