#pragma once

#include <optional>

#include "vernier/ledger/sqlite.hpp"

namespace vernier::ledger::sqlite {

// Copies the write-ahead log back into the file once it is long, and only while the write lock is held: up to SQLite
// 3.51.2 a checkpoint beside a commit that begins the log anew may skip pages of that commit for ever (its "WAL-reset
// bug"). A connection in a transaction cannot do it itself, so a second one does.
class Checkpoint {
 public:
  Checkpoint(std::filesystem::path path, std::string vfs) : path_(std::move(path)), vfs_(std::move(vfs)) {}

  // Copies and syncs all that is in the log, under the lock, which it takes for that long. A former process may have
  // written there what it could not sync, and ended: it is seen, but never reaches the disk any more, since Linux does
  // not try again what an fsync has failed to write. So nothing may be built on it before.
  Result<void> copy_what_was_left(const Connection& writer);

  // To be called while this connection holds the write lock and has written nothing yet. Whether something was copied:
  // then the transaction is to be begun once more, since only one that begins with nothing to copy begins the log anew.
  Result<bool> run_where_due(const Connection& writer);

 private:
  Result<void> open_copier();
  Result<void> copy_patiently();
  std::filesystem::path path_;
  std::string vfs_;
  std::optional<Connection> copier_;  // opened when it is due for the first time
  int pages_at_last_ = 0;             // of the log; a reader of an old view may keep it from being begun anew
};

}  // namespace vernier::ledger::sqlite
