#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "cli/study/asked_study.hpp"
#include "vernier/core/progress.hpp"
#include "vernier/ledger/book.hpp"
#include "vernier/ledger/ledger.hpp"
#include "vernier/query/catalog.hpp"

namespace vernier::cli {

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
Result<LedgerReading> read_ledger(const LocatedText& catalog, const Progress& progress,
                                  const ledger::Transaction::Visit& visit = {});

// How far it is, as long as it may go on.
Result<void> go_on(const Progress& progress, double done);

}  // namespace vernier::cli
