#pragma once

#include "cli/arguments.hpp"
#include "cli/output.hpp"
#include "vernier/core/result.hpp"

namespace vernier::cli {

// `vernier release`: runs a study and publishes it into a folder.
Usage release_usage();
Result<void> run_release(const Arguments& arguments, Output& output);

}  // namespace vernier::cli
