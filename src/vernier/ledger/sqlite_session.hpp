#pragma once

#include <optional>

#include "vernier/ledger/sqlite.hpp"
#include "vernier/ledger/sqlite_keys.hpp"
#include "vernier/ledger/store.hpp"

namespace vernier::ledger::sqlite {

// The statements of a ledger, prepared once for the life of its connection.
struct Statements {
  static Result<Statements> prepare(const Connection& connection);

  Statement begin_read, begin_write, commit, rollback;
  Statement schema_version, last, visit, keys, entry, documents;
  Statement add_entry, keep;
};

// What the last row said after a commit, and the version of the file that says so; none: it is not known.
struct Known {
  std::optional<unsigned> version = {};
  Tally tally = {};  // whose texts keep their memory
};

// A connection, its statements, the keys of the entries that it saw, its last commit, and whether a transaction is open
// on it.
struct Session {
  Connection connection;
  Statements statements;
  Keys keys;
  Known known = {};
  bool is_taken = false;
};

// How often the schema of the file was changed, as SQLite counts it.
Result<std::int64_t> schema_version_of(Session& session);

}  // namespace vernier::ledger::sqlite
