#pragma once

#include <optional>

#include "vernier/ledger/sqlite/connection.hpp"
#include "vernier/ledger/sqlite/keys.hpp"
#include "vernier/ledger/store.hpp"

namespace vernier::ledger::sqlite {

// The statements of a ledger, prepared once for the life of its connection.
struct Statements {
  static Result<Statements> prepare(const Connection& connection);

  Statement begin_read, begin_write, commit, rollback;
  Statement schema_version, last, visit, keys, entry, documents, document;
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

// Finds entries by what names them, inside of a transaction: the keys of the session tell where they may lie, their
// rows whether they do. Only entries whose keys were learnt are found.
class Lookup {
 public:
  explicit Lookup(Session& session) : session_(session) {}

  // Takes the keys of all entries up to this one that are not known yet, mostly those that other processes wrote. An
  // error (invalid, as the visits of a store have it) where an entry has the release or the request of a former one.
  Result<void> learn_up_to(std::int64_t index);
  // Nothing where it is known, or not the next.
  Result<void> learn_next(std::int64_t index, const Names& names, const Keys::Pair& pair);

  Result<std::optional<Entry>> by_release(Kind kind, std::string_view release);
  Result<std::optional<Entry>> by_request(std::string_view request);

  // An entry of the same kind with this release, or another reserve with this request.
  Result<std::optional<Entry>> twin_of(const Names& names, const Keys::Pair& pair);

 private:
  Result<std::optional<Entry>> entry_at(std::int64_t index);
  Result<std::optional<Entry>> released(Keys::Search search, Kind kind, std::string_view release);
  Result<std::optional<Entry>> requested(Keys::Search search, std::string_view request);
  template <class IsIt>
  Result<std::optional<Entry>> confirmed(Keys::Search search, const IsIt& is_it);
  const std::string& ledger() const { return session_.connection.ledger(); }

  Session& session_;
};

// Begins a transaction; the session outlives it.
Result<std::unique_ptr<Transaction>> begin(Session& session, Access access);

}  // namespace vernier::ledger::sqlite
