#pragma once

#include <filesystem>
#include <optional>

#include <sys/types.h>

#include "vernier/core/result.hpp"

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

}  // namespace vernier::ledger::sqlite
