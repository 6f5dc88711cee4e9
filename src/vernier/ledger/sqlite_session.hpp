#pragma once

#include "vernier/ledger/sqlite.hpp"
#include "vernier/ledger/sqlite_keys.hpp"

namespace vernier::ledger::sqlite {

// The statements of a ledger, prepared once for the life of its connection.
struct Statements {
  static Result<Statements> prepare(const Connection& connection);

  Statement begin_read, begin_write, commit, rollback;
  Statement last, visit, keys, entry, documents;
  Statement add_entry, keep;
};

// A connection, its statements, the keys of the entries that it saw, and whether a transaction is open on it.
struct Session {
  Connection connection;
  Statements statements;
  Keys keys;
  bool is_taken = false;
};

}  // namespace vernier::ledger::sqlite
