#include "vernier/ledger/sqlite/file.hpp"

#include <cerrno>
#include <chrono>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>

namespace vernier::ledger::sqlite {
namespace {

Failure refused(const std::filesystem::path& path, const std::string& predicate) {
  return fail(ErrorKind::system, "the ledger '" + path.string() + "' " + predicate);
}

Failure has_other_names(const std::filesystem::path& path, const std::string& end, nlink_t names) {
  const std::string which = end.empty() ? "" : "has a file beside it ('" + path.filename().string() + end + "') that ";
  return refused(path, which + "has " + std::to_string(names) +
                           " names (hard links), and under each it would have a lock and a log of its own; remove all "
                           "names but one");
}

// Whether it is the root of a mount, as a file that a container is given by itself: what lies beside it there is not
// what lies beside it elsewhere. Kernels before 5.8 do not say.
bool is_mounted_by_itself(const std::filesystem::path& path) {
  struct statx status {};
  if (::statx(AT_FDCWD, path.c_str(), 0, STATX_TYPE, &status) != 0) return false;
  return (status.stx_attributes_mask & status.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
}

}  // namespace

Result<void> SoleFile::check() {
  if (real_.empty()) {
    std::error_code missing;
    real_ = std::filesystem::canonical(path_, missing);
    if (missing) return {};
  }
  for (const char* end : {"", "-wal", "-shm"}) {
    const std::string name = real_.string() + end;
    struct stat status {};
    const bool is_there = ::stat(name.c_str(), &status) == 0;
    if (is_there && S_ISREG(status.st_mode) && status.st_nlink > 1) return has_other_names(path_, end, status.st_nlink);
    if (*end != '\0') continue;
    const Identity found{status.st_dev, status.st_ino};
    if (!seen_ && is_there) seen_ = found;
    if (seen_ && (!is_there || *seen_ != found)) {
      return refused(path_, "was moved or replaced since it was opened; open it again");
    }
  }
  if (is_mounted_by_itself(real_)) {
    return refused(path_,
                   "is mounted as a single file, so that its log lies elsewhere for others; mount its folder instead");
  }
  return {};
}

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
