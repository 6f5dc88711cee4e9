#pragma once

#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/output.hpp"
#include "cli/study/ledger_reading.hpp"
#include "vernier/release/ledger/capacity.hpp"

namespace vernier::cli {

// What an analyst spent, and of how much.
struct AnalystLine {
  std::string name;  // "" where nobody was named
  ledger::Cost spent;
  ledger::Cost most;  // the share; the whole budget where there are no shares
  ledger::Cost left;
};

// How many more counts of each accuracy somebody could have.
struct CapacityLine {
  std::string name;                           // of the analyst; "" for everybody
  std::vector<release::Capacity> capacities;  // one for each accuracy
};

struct LedgerShow {
  LedgerReading reading;
  bool has_shares;
  std::vector<AnalystLine> analysts;
  ledger::Cost reserve;     // in no share
  ledger::Cost conversion;  // that was paid for the first charge by divergence
  std::vector<std::int64_t> accuracies;
  std::vector<CapacityLine> capacity;
};

// With counts within each of these accuracies, or within those that suit the balance where there are none.
Result<LedgerShow> ledger_show(const LocatedText& catalog, const std::vector<std::int64_t>& within,
                               const Progress& progress);

void write_ledger_report(Output& output, const LedgerShow& show);
void write_ledger_json(Output& output, const LedgerShow& show);

Result<void> run_ledger_show(const Arguments& arguments, Output& output);

}  // namespace vernier::cli
