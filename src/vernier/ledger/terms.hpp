#pragma once

#include <string_view>

#include "vernier/accounting/one_order.hpp"
#include "vernier/ledger/ledger.hpp"

// What follows from the terms of a ledger alone. ledger.md has the reasons.
namespace vernier::ledger {

// As catalogs and ledgers write it: "zcdp".
std::string_view name_of(Accountant accountant);

bool charges_by_divergence(Accountant accountant);

// How zcdp and rdp charge.
Result<accounting::OneOrder> one_order_of(const Terms& terms);

}  // namespace vernier::ledger
