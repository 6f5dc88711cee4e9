#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "vernier/core/progress.hpp"
#include "vernier/ledger/book.hpp"
#include "vernier/ledger/entry.hpp"
#include "vernier/ledger/ledger.hpp"
#include "vernier/query/catalog.hpp"
#include "vernier/release/ledger/capacity.hpp"
#include "vernier/study/catalog.hpp"

// The ledger of a catalog, read. Nothing is written, and nobody is kept from writing.
namespace vernier::study {

struct WitnessReading {
  std::filesystem::path path;
  std::optional<ledger::Witness::Memory> memory;  // none: it has seen nothing yet
};

// The ledger of a catalog as it was found, replayed and held against its witness. Nothing is written, and nobody is
// kept from writing.
struct LedgerReading {
  query::Catalog catalog;
  std::string name;                       // as sentences call it
  ledger::Rules rules;                    // that the catalog states
  std::optional<ledger::Book> book = {};  // none: nothing was begun yet
  ledger::Summary summary = {};
  std::optional<WitnessReading> witness = {};

  ledger::Balance balance() const;
};

// The catalog and its ledger; every entry is told to `visit`. It ends with an error where the progress says no.
Result<LedgerReading> read_ledger(const Text& catalog, const Progress& progress,
                                  const ledger::Transaction::Visit& visit = {});

// How far it is, as long as it may go on.
Result<void> go_on(const Progress& progress, double done);

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

// With counts within each of these accuracies, from 1 to greatest_within, or within those that suit the balance where
// there are none.
inline constexpr std::int64_t greatest_within = 1'000'000'000'000;
Result<LedgerShow> ledger_show(const Text& catalog, const std::vector<std::int64_t>& within, const Progress& progress);

// An entry, and whether what it paid for was answered.
struct HistoryLine {
  ledger::Entry entry;
  bool is_answered;
};

struct LedgerHistory {
  LedgerReading reading;
  std::vector<HistoryLine> lines;
};

// What an analyst paid for and got, where one is named, and else everything; of that the last so many entries.
struct HistoryRequest {
  std::optional<std::string> analyst = {};
  std::size_t last = SIZE_MAX;  // at least 1
};
Result<LedgerHistory> ledger_history(const Text& catalog, const HistoryRequest& request, const Progress& progress);

}  // namespace vernier::study
