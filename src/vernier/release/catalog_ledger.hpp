#pragma once

#include <filesystem>

#include "vernier/ledger/ledger.hpp"
#include "vernier/plan/plan.hpp"
#include "vernier/query/catalog.hpp"

// The ledger that a catalog names, and what a plan costs there.
namespace vernier::release {

// What the catalog allows; its accountant `pure` with a delta is the filter that adds up epsilons and deltas.
ledger::Terms terms_of(const query::Budget& budget);

// Where the ledger lies. An error for an address: this version keeps ledgers in files.
Result<std::filesystem::path> ledger_path(const query::Catalog& catalog);

Result<ledger::Ledger> open_ledger(const query::Catalog& catalog);

Result<ledger::Price> price_of(const plan::Plan& plan, const ledger::Terms& terms);

}  // namespace vernier::release
