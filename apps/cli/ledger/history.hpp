#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/arguments.hpp"
#include "cli/ledger/amounts.hpp"
#include "cli/output.hpp"
#include "cli/study/asked_study.hpp"
#include "vernier/core/progress.hpp"
#include "vernier/ledger/entry.hpp"

namespace vernier::cli {

// Every field of an entry, its amounts as exact decimals and as quanta, both as text. ledger.md of the guide has a
// script that recomputes the hashes from it.
void write_entry_members(JsonWriter& json, const ledger::Entry& entry, const CostText& text);

struct HistoryRequest {
  std::optional<std::string> analyst = {};  // what this analyst paid for
  std::optional<std::int64_t> last = {};    // the last so many entries
};
Result<void> write_ledger_history(Output& output, const LocatedText& catalog, const HistoryRequest& request,
                                  bool as_json, const Progress& progress);

Result<void> run_ledger_history(const Arguments& arguments, Output& output);

}  // namespace vernier::cli
