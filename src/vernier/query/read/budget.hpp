#pragma once

#include <cstddef>
#include <vector>

#include "vernier/query/catalog.hpp"
#include "vernier/query/toml/reader.hpp"

namespace vernier::query {

inline constexpr std::size_t longest_analyst = 100;  // in characters

// Why nobody can be called so, as the end of a sentence; none where somebody can.
std::optional<std::string> fault_of_analyst(std::string_view name);

// [budget.shares] in the order of the file: names of analysts, and the part of the budget that each may spend.
std::vector<BudgetShare> read_shares(TableReader& budget);

// epsilon (needed) and delta (0 where it is missing) of a budget, within what a budget can be.
struct PrivacyBudget {
  numeric::Rational epsilon;
  numeric::Rational delta;
};
PrivacyBudget read_privacy_budget(TableReader& reader);

// The table [budget] of a catalog, with the ledger that it has unless it names one.
Budget read_budget(TableReader& reader, const std::string& usual_ledger);

}  // namespace vernier::query
