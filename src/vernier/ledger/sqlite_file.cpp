#include "vernier/ledger/sqlite_file.hpp"

#include <cerrno>
#include <string>
#include <system_error>

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

}  // namespace vernier::ledger::sqlite
