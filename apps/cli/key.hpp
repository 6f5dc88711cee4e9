#pragma once

#include "cli/arguments.hpp"
#include "cli/output.hpp"
#include "vernier/core/result.hpp"

namespace vernier::cli {

// `vernier key`: by which key this installation signs its releases.
Usage key_usage();
Result<void> run_key(const Arguments& arguments, Output& output);

}  // namespace vernier::cli
