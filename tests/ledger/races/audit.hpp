#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "vernier/ledger/ledger.hpp"

namespace vernier::testing {

// A budget of so many units of epsilon, each of which a spend may ask for; delta is 0.
ledger::Terms terms_of_units(int units);
ledger::Spend spend_of_units(const ledger::Terms& terms, int units, const std::string& release);

// What a store holds, by a reader of its own: sums are added up here, and only the chain is left to `look`.
struct Audit {
  std::vector<ledger::Entry> entries = {};
  std::map<std::string, ledger::Documents> documents = {};  // by release
  ledger::Cost spent = {};
  ledger::Cost left = {};    // as the store's own row has it
  std::string problem = {};  // what `look` finds; empty where everything holds
};
Audit audit(ledger::Store& store, const ledger::Terms& terms, const ledger::WitnessPlace& witness = {});

std::int64_t count(const Audit& audit, ledger::Kind kind);

// Whatever clients were told, a ledger keeps these: no entry twice, what is answered was paid for before, documents are
// those that were settled, and what is left and spent is the budget. What is wrong, a sentence each.
std::vector<std::string> faults_of(const Audit& audit, const ledger::Terms& terms);

std::string told(const std::vector<std::string>& faults);  // in one text

}  // namespace vernier::testing
