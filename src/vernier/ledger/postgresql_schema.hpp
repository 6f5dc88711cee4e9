#pragma once

#include "vernier/ledger/postgresql.hpp"
#include "vernier/ledger/store.hpp"

// The tables of a ledger in PostgreSQL, and the rules that they keep by themselves; stores.md explains them.
namespace vernier::ledger::postgresql {

// An error for a server that may lose what it committed: a budget that a power cut brings back is none.
Result<void> check_durable(const Connection& connection);

Result<bool> is_begun(const Connection& connection);  // the tables are there

// The tables are there, of this version, with all their rules; made all at once where they are missing and may be.
Result<void> make_ready(const Connection& connection, Missing missing);

// A lock for the moment when there is no row to lock, until the transaction ends. By schema.
constexpr const char* lock_of_schema =
    "SELECT pg_advisory_xact_lock(1448234578, hashtext(coalesce(current_schema(), '')))";

}  // namespace vernier::ledger::postgresql
