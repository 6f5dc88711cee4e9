#pragma once

#include <chrono>
#include <map>
#include <string>
#include <thread>

#include <sqlite3.h>

#include "bench/ledger/spends.hpp"

// A disk of which is stated how long a sync takes, so that a figure does not hang on the disk of the day: SQLite's
// usual files, whose sync sleeps for that long and does nothing else.
namespace bench {

class StatedDisk {
 public:
  // Registers the layer of files and gives its name. Of use for one time at a time.
  static std::string of(std::chrono::microseconds sync) {
    static StatedDisk disk;
    disk.sync_ = sync;
    if (sqlite3_vfs_register(&disk.layer_, 0) != SQLITE_OK) throw NotMeasured("SQLite takes no layer of files");
    return disk.layer_.zName;
  }

 private:
  StatedDisk() : below_(sqlite3_vfs_find(nullptr)), layer_(*below_) {
    self_ = this;
    layer_.zName = "stated_disk";
    layer_.pNext = nullptr;
    layer_.xOpen = open;
  }

  // Files of SQLite's own kind, but for their sync.
  static int open(sqlite3_vfs*, const char* name, sqlite3_file* file, int flags, int* out) {
    const int code = self_->below_->xOpen(self_->below_, name, file, flags, out);
    if (code != SQLITE_OK || file->pMethods == nullptr) return code;
    sqlite3_io_methods& methods = self_->methods_.try_emplace(file->pMethods, *file->pMethods).first->second;
    methods.xSync = sync;
    file->pMethods = &methods;
    return code;
  }
  static int sync(sqlite3_file*, int) {
    std::this_thread::sleep_for(self_->sync_);
    return SQLITE_OK;
  }

  inline static StatedDisk* self_ = nullptr;
  sqlite3_vfs* below_;
  sqlite3_vfs layer_;
  std::map<const sqlite3_io_methods*, sqlite3_io_methods> methods_;  // those of a log are others than a database's
  std::chrono::microseconds sync_{};
};

// The layer of files for these spends; "" for the usual one.
inline std::string disk_of(const Spends& spends) {
  return spends.sync == 0 ? "" : StatedDisk::of(std::chrono::microseconds(spends.sync));
}

}  // namespace bench
