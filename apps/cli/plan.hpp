#pragma once

#include "cli/arguments.hpp"
#include "cli/output.hpp"
#include "vernier/core/result.hpp"

namespace vernier::cli {

// `vernier plan`: what a study will cost and how accurate it will be. Opens no data file, and spends nothing.
Usage plan_usage();
Result<void> run_plan(const Arguments& arguments, Output& output);

}  // namespace vernier::cli
