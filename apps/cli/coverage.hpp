#pragma once

#include "cli/arguments.hpp"
#include "cli/output.hpp"
#include "vernier/core/result.hpp"

namespace vernier::cli {

// `vernier coverage`: do intervals hold what they are said to hold? By simulation, on public or synthetic data.
Usage coverage_usage();
Result<void> run_coverage(const Arguments& arguments, Output& output);

}  // namespace vernier::cli
