#pragma once

#include "cli/arguments.hpp"
#include "cli/output.hpp"
#include "vernier/core/result.hpp"

namespace vernier::cli {

// Prints what a catalog declares. Where something is wrong, prints every problem on a line of its own and fails.
Result<void> run_catalog_check(const Arguments& arguments, Output& output);

}  // namespace vernier::cli
