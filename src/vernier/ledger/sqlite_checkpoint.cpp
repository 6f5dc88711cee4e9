#include "vernier/ledger/sqlite_checkpoint.hpp"

#include <chrono>
#include <thread>
#include <utility>

namespace vernier::ledger::sqlite {
namespace {

constexpr int longest_log = 1000;  // pages, as SQLite has it by itself

// The copies are synced like commits. A first look tells the handle that there is a log.
Result<Connection> copier_of(const std::filesystem::path& path, const std::string& vfs) {
  Result<Connection> copier = Connection::open(path, SQLITE_OPEN_READWRITE, vfs);
  if (!copier) return copier;
  VERNIER_TRY(copier->sync_every_commit());
  VERNIER_TRY(copier->value("SELECT max(idx) FROM entries"));
  return copier;
}

}  // namespace

Result<void> Checkpoint::open_copier() {
  if (copier_) return {};
  VERNIER_TRY(Connection opened, copier_of(path_, vfs_));
  copier_ = std::move(opened);
  return {};
}

Result<void> Checkpoint::copy_patiently() {
  if (Result<void> opened = open_copier(); !opened) return opened;
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (true) {
    VERNIER_TRY(const bool copied, copier_->copy_log_back());
    if (copied) return {};
    if (std::chrono::steady_clock::now() > deadline) return failure(copier_->ledger(), SQLITE_BUSY);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

Result<void> Checkpoint::copy_what_was_left(const Connection& writer) {
  if (Result<void> locked = writer.run("BEGIN IMMEDIATE"); !locked) return locked;
  const Result<void> copied = copy_patiently();
  const Result<void> unlocked = writer.run("ROLLBACK");
  return copied ? unlocked : copied;
}

Result<bool> Checkpoint::run_where_due(const Connection& writer) {
  const int pages = writer.log_pages();
  if (pages < pages_at_last_) pages_at_last_ = 0;  // the log was begun anew
  if (pages - pages_at_last_ < longest_log) return false;
  VERNIER_TRY(open_copier());
  pages_at_last_ = pages;
  return copier_->copy_log_back();
}

}  // namespace vernier::ledger::sqlite
