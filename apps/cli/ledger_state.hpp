#pragma once

#include <filesystem>
#include <vector>

#include "vernier/accounting/filter.hpp"
#include "vernier/core/result.hpp"
#include "vernier/ledger/ledger.hpp"
#include "vernier/plan/plan.hpp"
#include "vernier/query/catalog.hpp"

namespace vernier::cli {

// What is left before a plan, and what the plan would take. Nothing is written.
struct LedgerState {
  std::filesystem::path path;
  bool exists;
  accounting::Filter filter;
  std::vector<numeric::Rational> price;  // one per cap of the filter
  bool is_affordable;
};
Result<LedgerState> ledger_state(const query::Catalog& catalog, const plan::Plan& plan);

}  // namespace vernier::cli
