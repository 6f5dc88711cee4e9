#pragma once

#include <string_view>

#include "vernier/ledger/ledger.hpp"

// What follows from the terms of a ledger alone. ledger.md has the reasons.
namespace vernier::ledger {

// As catalogs and ledgers write it: "zcdp".
std::string_view name_of(Accountant accountant);

// The greatest rho whose conversion at half of delta stays within epsilon, rounded down.
Result<double> rho_of(const Terms& terms);

// The one order at which divergences are added up, and the greatest divergence whose conversion at half of delta stays
// within epsilon, rounded down.
struct RenyiBudget {
  double order;
  double divergence;
};
Result<RenyiBudget> renyi_budget_of(const Terms& terms);

// The other half, for what the conversion does not see: the chances of key selections.
numeric::Rational half_of(const numeric::Rational& delta);

}  // namespace vernier::ledger
