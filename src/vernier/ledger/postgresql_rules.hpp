#pragma once

#include <array>
#include <string_view>

#include "vernier/ledger/postgresql.hpp"

// Whether the rules of a ledger in PostgreSQL are those that it was made with; stores.md says against what.
namespace vernier::ledger::postgresql {

// A function that triggers of the ledger call.
struct RuleFunction {
  std::string_view name;
  std::string_view body;
};
extern const std::array<RuleFunction, 3> rule_functions;

// That tables, columns, constraints, indexes, triggers and functions are those that were made, word for word, that
// there are no others and no rewrite rules or policies, and that one role owns them all.
Result<void> check_rules(const Connection& connection);

// Whether names in the functions mean tables of the ledger whatever the session says: without that, whoever may make
// temporary tables puts one in the place of the entries, and sets the tally as she likes. Earlier versions made it so.
Result<bool> has_fixed_paths(const Connection& connection);

// Fixes them, as only the owner of the functions may.
Result<void> fix_paths(const Connection& connection);

}  // namespace vernier::ledger::postgresql
