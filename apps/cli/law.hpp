#pragma once

#include "cli/arguments.hpp"
#include "cli/output.hpp"
#include "vernier/core/result.hpp"

namespace vernier::cli {

// `vernier law`: what R's dnorm, pnorm, qnorm and rnorm do for the normal, for the four laws of noise.
Usage law_usage();
Result<void> run_law(const Arguments& arguments, Output& output);

}  // namespace vernier::cli
