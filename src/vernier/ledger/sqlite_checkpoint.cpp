#include "vernier/ledger/sqlite_checkpoint.hpp"

#include <utility>

namespace vernier::ledger::sqlite {
namespace {

constexpr int longest_log = 1000;  // pages, as SQLite has it by itself

// The copies are synced like commits. A first look tells the handle that there is a log.
Result<Connection> copier_of(const std::filesystem::path& path, const std::string& vfs) {
  Result<Connection> copier = Connection::open(path, SQLITE_OPEN_READWRITE, vfs);
  if (!copier) return copier;
  if (const Result<void> set = copier->sync_every_commit(); !set) return tl::unexpected(set.error());
  const Result<std::string> look = copier->value("SELECT idx FROM tally");
  if (!look) return tl::unexpected(look.error());
  return copier;
}

}  // namespace

Result<bool> Checkpoint::run_where_due(const Connection& writer) {
  const int pages = writer.log_pages();
  if (pages < pages_at_last_) pages_at_last_ = 0;  // the log was begun anew
  if (pages - pages_at_last_ < longest_log) return false;
  if (!copier_) {
    Result<Connection> opened = copier_of(path_, vfs_);
    if (!opened) return tl::unexpected(std::move(opened.error()));
    copier_ = std::move(*opened);
  }
  pages_at_last_ = pages;
  const Result<void> copied = copier_->copy_log_back();
  if (!copied) return tl::unexpected(copied.error());
  return true;
}

}  // namespace vernier::ledger::sqlite
