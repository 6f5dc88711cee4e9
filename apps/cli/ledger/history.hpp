#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/arguments.hpp"
#include "cli/ledger/amounts.hpp"
#include "cli/output.hpp"
#include "vernier/core/progress.hpp"
#include "vernier/ledger/entry.hpp"
#include "vernier/study/catalog.hpp"

namespace vernier::cli {

// Every field of an entry, its amounts as exact decimals and as quanta, both as text. ledger.md of the guide has a
// script that recomputes the hashes from it.
void write_entry_members(JsonWriter& json, const ledger::Entry& entry, const CostText& text);

// The entries that are asked for. `last` is what --last says: at least 1.
struct AskedHistory {
  std::optional<std::string> analyst = {};
  std::optional<std::int64_t> last = {};
};
Result<void> write_ledger_history(Output& output, const study::Text& catalog, const AskedHistory& asked, bool as_json,
                                  const Progress& progress);

Result<void> run_ledger_history(const Arguments& arguments, Output& output);

}  // namespace vernier::cli
