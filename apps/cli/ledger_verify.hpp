#pragma once

#include "cli/arguments.hpp"
#include "cli/output.hpp"

namespace vernier::cli {

Result<void> run_ledger_verify(const Arguments& arguments, Output& output);

}  // namespace vernier::cli
