#include "cli/release/folder.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/file.hpp"

namespace vernier::cli {
namespace {

namespace fs = std::filesystem;

Failure cannot_make(const fs::path& place, const std::string& reason) {
  return fail(ErrorKind::system,
              fmt::format("the folder '{}' cannot be written ({}); choose a place where you may write", place.string(),
                          reason));
}

Result<void> check_free(const fs::path& place, const fs::path& resolved) {
  std::error_code error;
  const fs::file_status status = fs::symlink_status(resolved, error);
  if (!fs::exists(status)) return {};
  const bool is_free = fs::is_directory(status) && fs::is_empty(resolved, error) && !error;
  if (is_free && resolved != fs::current_path(error)) return {};
  return invalid(fmt::format("'{}' exists already, and a release is never written over anything; name a new folder",
                             place.string()));
}

// So that names outlive a loss of power; where the file system cannot, nothing is lost that was promised.
void sync_folder(const fs::path& folder) {
  const int file = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return;
  ::fsync(file);
  ::close(file);
}

}  // namespace

Result<ReleaseFolder> ReleaseFolder::begin(const fs::path& place) {
  std::error_code error;
  const fs::path resolved = fs::weakly_canonical(place.has_filename() ? place : place.parent_path(), error);
  if (error) return cannot_make(place, error.message());
  VERNIER_TRY(check_free(place, resolved));
  const fs::path temporary = fmt::format("{}.{}.tmp", resolved.string(), ::getpid());
  if (::mkdir(temporary.c_str(), 0777) != 0) return cannot_make(place, std::strerror(errno));
  return ReleaseFolder(resolved, temporary);
}

ReleaseFolder::ReleaseFolder(fs::path place, fs::path temporary)
    : place_(std::move(place)), temporary_(std::move(temporary)) {}

ReleaseFolder::ReleaseFolder(ReleaseFolder&& other) noexcept
    : place_(std::move(other.place_)), temporary_(std::exchange(other.temporary_, {})) {}

ReleaseFolder::~ReleaseFolder() {
  std::error_code ignored;
  if (!temporary_.empty()) fs::remove_all(temporary_, ignored);
}

Result<void> ReleaseFolder::write(const std::string& name, std::string_view content) const {
  return write_file((temporary_ / name).string(), content);
}

Result<void> ReleaseFolder::finish() {
  sync_folder(temporary_);
  if (std::rename(temporary_.c_str(), place_.c_str()) != 0) return cannot_make(place_, std::strerror(errno));
  temporary_.clear();
  sync_folder(place_.parent_path());
  return {};
}

}  // namespace vernier::cli
