#pragma once

#include "cli/arguments.hpp"
#include "cli/output.hpp"
#include "vernier/core/result.hpp"

namespace vernier::cli {

// `vernier calibrate`: state the budget, the scale or the accuracy of a release, get the others.
Usage calibrate_usage();
Result<void> run_calibrate(const Arguments& arguments, Output& output);

}  // namespace vernier::cli
