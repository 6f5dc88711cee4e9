#pragma once

#include "cli/arguments.hpp"
#include "cli/json.hpp"
#include "cli/output.hpp"
#include "cli/quanta_text.hpp"
#include "vernier/ledger/entry.hpp"

namespace vernier::cli {

// Every field of an entry, its amounts as exact decimals and as quanta, both as text. ledger.md of the guide has a
// script that recomputes the hashes from it.
void write_entry_members(JsonWriter& json, const ledger::Entry& entry, const CostText& text);

Result<void> run_ledger_history(const Arguments& arguments, Output& output);

}  // namespace vernier::cli
