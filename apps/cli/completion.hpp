#pragma once

#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/output.hpp"

namespace vernier::cli {

// The script for bash, from what the commands say that they take.
std::string bash_completion(const std::vector<Usage>& usages);

}  // namespace vernier::cli
