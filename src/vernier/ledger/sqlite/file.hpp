#pragma once

#include <filesystem>
#include <optional>

#include <sys/types.h>

#include "vernier/core/result.hpp"
#include "vernier/ledger/sqlite/connection.hpp"

namespace vernier::ledger::sqlite {

// The file of a ledger under its one name. SQLite names log and locks after the file's name, so that a file with two
// names has two logs: what is spent under one is not seen under the other (stores.md, "One name").
class SoleFile {
 public:
  // Links of the other kind are followed, as SQLite does.
  explicit SoleFile(std::filesystem::path path) : path_(std::move(path)) {}

  // An error where the file, its log or its shared memory has another name or is mounted by itself, or where another
  // file lies there than at the first look. No file yet: no error. Nothing is opened: to close a file lets go of all
  // locks that the process has on it.
  Result<void> check();

 private:
  struct Identity {
    dev_t device;
    ino_t inode;
    friend bool operator==(const Identity&, const Identity&) = default;
  };
  std::filesystem::path path_;
  std::filesystem::path real_ = {};  // without symbolic links, once it is there
  std::optional<Identity> seen_ = {};
};

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
