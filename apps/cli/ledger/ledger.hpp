#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/ledger/amounts.hpp"
#include "cli/output.hpp"
#include "vernier/core/progress.hpp"
#include "vernier/ledger/entry.hpp"
#include "vernier/study/catalog.hpp"
#include "vernier/study/ledger.hpp"
#include "vernier/study/verify.hpp"

namespace vernier::cli {

// Whether these can be asked for by --within.
Result<void> check_within(const std::vector<std::int64_t>& within);

void write_ledger_report(Output& output, const study::LedgerShow& show);
void write_ledger_json(Output& output, const study::LedgerShow& show);

Result<void> run_ledger_show(const Arguments& arguments, Output& output);

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

// Replays everything and holds it against the witness, the stored answers and these releases.
Result<void> write_ledger_verify(Output& output, const study::Text& catalog,
                                 std::vector<study::PublishedRelease> releases, bool as_json, const Progress& progress);

Result<void> run_ledger_verify(const Arguments& arguments, Output& output);

Result<void> run_ledger_export(const Arguments& arguments, Output& output);

// What a record of the registry tells of a ledger's entries.
class RegistryFacts {
 public:
  void see(const ledger::Entry& entry);

  const std::vector<ledger::Entry>& paid() const { return paid_; }  // the reservations
  bool was_answered(const std::string& release) const { return answered_.contains(release); }
  const std::set<std::string, std::less<>>& answered() const { return answered_; }
  std::int64_t first_time() const { return first_answer_.value_or(begun_); }

 private:
  std::vector<ledger::Entry> paid_;
  std::set<std::string, std::less<>> answered_;
  std::optional<std::int64_t> first_answer_;
  std::int64_t begun_ = 0;
};

// A record of the Differential Privacy Deployments Registry, in YAML: schemas/deployments-schema.yaml of
// opendp/deployments-registry-data, commit 057e5d8. What only people know is marked to be filled in.
Result<std::string> registry_record(const study::LedgerReading& reading, const RegistryFacts& facts);

}  // namespace vernier::cli
