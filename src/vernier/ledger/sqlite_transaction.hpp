#pragma once

#include "vernier/ledger/sqlite.hpp"
#include "vernier/ledger/store.hpp"

namespace vernier::ledger::sqlite {

// The statements of a ledger, prepared once for the life of its connection.
struct Statements {
  static Result<Statements> prepare(const Connection& connection);

  Statement begin_read, begin_write, commit, rollback;
  Statement tally, visit, find_release, find_request, documents;
  Statement begin_tally, add_entry, move_tally, keep;
};

// A connection, its statements, and whether a transaction is open on it.
struct Session {
  Connection connection;
  Statements statements;
  bool is_taken = false;
};

// Begins a transaction; the session outlives it.
Result<std::unique_ptr<Transaction>> begin(Session& session, Access access);

}  // namespace vernier::ledger::sqlite
