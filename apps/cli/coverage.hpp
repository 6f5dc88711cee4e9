#pragma once

#include "cli/arguments.hpp"
#include "cli/coverage_request.hpp"
#include "cli/output.hpp"
#include "vernier/core/progress.hpp"
#include "vernier/core/result.hpp"

namespace vernier::cli {

// `vernier coverage`: do intervals hold what they are said to hold? By simulation, on public or synthetic data.
Usage coverage_usage();
Result<void> run_coverage(const Arguments& arguments, Output& output);

// What the request asks, for whoever watches it.
Result<coverage::Report> simulated(const CoverageRequest& request, const Progress& progress);

}  // namespace vernier::cli
