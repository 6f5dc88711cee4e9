#pragma once

#include "cli/arguments.hpp"
#include "cli/output.hpp"
#include "vernier/core/result.hpp"

namespace vernier::cli {

// `vernier demo`: invents a census extract, declares it, plans a study of it and releases it.
Usage demo_usage();
Result<void> run_demo(const Arguments& arguments, Output& output);

// The catalog and the study of the demo.
std::string demo_catalog();
std::string demo_study();

}  // namespace vernier::cli
