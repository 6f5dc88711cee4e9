#pragma once

#include "vernier/ledger/ledger.hpp"
#include "vernier/query/catalog.hpp"

namespace vernier::release {

// What the catalog allows; its accountant `pure` with a delta is the filter that adds up epsilons and deltas.
ledger::Terms terms_of(const query::Budget& budget);

// The ledger of a catalog: the file that it names, beside it.
Result<ledger::Ledger> open_ledger(const query::Catalog& catalog);

}  // namespace vernier::release
