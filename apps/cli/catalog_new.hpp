#pragma once

#include "cli/arguments.hpp"
#include "cli/output.hpp"
#include "vernier/core/result.hpp"

namespace vernier::cli {

// Writes a catalog to fill in; a file that is there is never replaced.
Result<void> run_catalog_new(const Arguments& arguments, Output& output);

}  // namespace vernier::cli
