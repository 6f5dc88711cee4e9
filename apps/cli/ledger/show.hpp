#pragma once

#include <cstdint>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/output.hpp"
#include "vernier/study/ledger.hpp"

namespace vernier::cli {

// Whether these can be asked for by --within.
Result<void> check_within(const std::vector<std::int64_t>& within);

void write_ledger_report(Output& output, const study::LedgerShow& show);
void write_ledger_json(Output& output, const study::LedgerShow& show);

Result<void> run_ledger_show(const Arguments& arguments, Output& output);

}  // namespace vernier::cli
