#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "vernier/core/result.hpp"
#include "vernier/ledger/ledger.hpp"
#include "vernier/plan/plan.hpp"
#include "vernier/query/catalog.hpp"

namespace vernier::cli {

// An amount of the budget, or of an analyst's share of it.
struct LedgerAmount {
  std::string_view name;  // "epsilon"
  numeric::Rational allowed;
  numeric::Rational left;
  numeric::Rational price;
};
struct LedgerState {
  std::string name;
  bool exists;
  std::vector<LedgerAmount> amounts;
  bool is_affordable;
};

// What is left before a plan, and what the plan would take, from the share of the analyst where one is named. Nothing
// is written.
Result<LedgerState> ledger_state(const query::Catalog& catalog, const plan::Plan& plan, const std::string& analyst);

}  // namespace vernier::cli
