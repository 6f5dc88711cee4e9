#pragma once

#include "cli/arguments.hpp"
#include "cli/output.hpp"
#include "vernier/core/result.hpp"

namespace vernier::cli {

// Opens a table again that was closed because the engine failed on it.
Result<void> run_catalog_reopen(const Arguments& arguments, Output& output);

}  // namespace vernier::cli
