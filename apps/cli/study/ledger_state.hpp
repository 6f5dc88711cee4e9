#pragma once

#include <optional>
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
  numeric::Rational price;  // in all
  numeric::Rational once;   // of the price: what opening the conversion takes
};
struct LedgerState {
  std::string name;
  bool exists;
  std::vector<LedgerAmount> amounts;
  bool is_affordable;
  ledger::Manner manner;
  std::optional<ledger::Room> room;  // what opening the conversion buys, where the study would
};

// What is left before a plan, and what the plan would take, from the share of the analyst where one is named. Nothing
// is written.
Result<LedgerState> ledger_state(const query::Catalog& catalog, const plan::Plan& plan, const std::string& analyst);

}  // namespace vernier::cli
