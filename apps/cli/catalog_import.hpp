#pragma once

#include "cli/arguments.hpp"
#include "cli/output.hpp"

namespace vernier::cli {

// A catalog to fill in from the YAML metadata of SmartNoise, and what that leaves open.
Result<void> run_catalog_import(const Arguments& arguments, Output& output);

}  // namespace vernier::cli
