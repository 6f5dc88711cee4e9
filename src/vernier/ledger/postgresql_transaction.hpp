#pragma once

#include "vernier/ledger/postgresql.hpp"
#include "vernier/ledger/store.hpp"

namespace vernier::ledger::postgresql {

// A connection, and whether a transaction is open on it.
struct Session {
  Connection connection;
  bool is_taken = false;
};

// The statements of a ledger, once for the life of a connection.
Result<void> prepare_statements(const Connection& connection);

// Begins a transaction; the session outlives it.
Result<std::unique_ptr<Transaction>> begin(Session& session, Access access);

}  // namespace vernier::ledger::postgresql
