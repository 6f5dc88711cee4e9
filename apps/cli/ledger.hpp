#pragma once

#include "cli/arguments.hpp"
#include "cli/output.hpp"

namespace vernier::cli {

// vernier ledger show | history | verify | export: what was spent, by whom and on what. They only read.
Usage ledger_usage();
Result<void> run_ledger(const Arguments& arguments, Output& output);

}  // namespace vernier::cli
