#pragma once

#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/output.hpp"

namespace vernier::cli {

// `vernier completion bash`: a script by which the shell completes commands, options and their values.
Usage completion_usage();
Result<void> run_completion(const Arguments& arguments, Output& output);

// The script for bash, from what the commands say that they take.
std::string bash_completion(const std::vector<Usage>& usages);

}  // namespace vernier::cli
