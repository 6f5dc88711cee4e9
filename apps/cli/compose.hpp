#pragma once

#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/output.hpp"
#include "vernier/core/result.hpp"

namespace vernier::cli {

// `vernier compose`: what many releases cost together, with both bounds.
Usage compose_usage();
Result<void> run_compose(const Arguments& arguments, Output& output);

// For a program, from the words of its command line, such as {"--event", "laplace,scale=20", "--delta=1e-6"}: what the
// command prints with --json, and what it draws with --plot (chart_json.hpp). No file is written.
Result<std::string> compose_json(const std::vector<std::string>& words);
Result<std::string> compose_chart_json(const std::vector<std::string>& words);

}  // namespace vernier::cli
