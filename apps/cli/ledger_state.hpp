#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "vernier/core/result.hpp"
#include "vernier/ledger/ledger.hpp"
#include "vernier/plan/plan.hpp"
#include "vernier/query/catalog.hpp"

namespace vernier::cli {

// What is left before a plan, and what the plan would take. Nothing is written.
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
Result<LedgerState> ledger_state(const query::Catalog& catalog, const plan::Plan& plan);

}  // namespace vernier::cli
