#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/output.hpp"
#include "vernier/study/ledger.hpp"

namespace vernier::cli {

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
