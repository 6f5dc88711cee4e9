#pragma once

#include <array>
#include <string_view>

#include "vernier/ledger/postgresql/connection.hpp"
#include "vernier/ledger/store.hpp"

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

// The tables of a ledger in PostgreSQL, and the rules that they keep by themselves; stores.md explains them.
// An error for a server that may lose what it committed: a budget that a power cut brings back is none.
Result<void> check_durable(const Connection& connection);

Result<bool> is_begun(const Connection& connection);  // the tables are there

// The tables are there, of this version, with all their rules; made all at once where they are missing and may be.
Result<void> make_ready(const Connection& connection, Missing missing);

// A lock for the moment when there is no row to lock, until the transaction ends. By schema.
constexpr const char* lock_of_schema =
    "SELECT pg_advisory_xact_lock(1448234578, hashtext(coalesce(current_schema(), '')))";

}  // namespace vernier::ledger::postgresql
