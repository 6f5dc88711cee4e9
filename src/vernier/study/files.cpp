#include "vernier/study/files.hpp"

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "vernier/study/release.hpp"

namespace vernier::study {
namespace {

namespace fs = std::filesystem;

Failure cannot_write(const std::string& path, const char* reason) {
  return fail(ErrorKind::system,
              fmt::format("the file '{}' cannot be written ({}); choose a place where you may write", path, reason));
}

Failure cannot_read(const std::string& path, const char* reason) {
  return fail(ErrorKind::system,
              fmt::format("the file '{}' cannot be read ({}); look whether it is there and readable", path, reason));
}

// Told beforehand where it can be.
bool is_larger(int file, std::size_t most) {
  struct stat found {};
  return ::fstat(file, &found) == 0 && S_ISREG(found.st_mode) && static_cast<std::uintmax_t>(found.st_size) > most;
}

// 0, or the errno of what failed.
int read_all(int file, std::string& content, std::size_t most) {
  std::array<char, 1 << 16> buffer;
  while (content.size() <= most) {
    const ssize_t count = ::read(file, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    if (count == 0) return 0;
    content.append(buffer.data(), static_cast<std::size_t>(count));
  }
  return EFBIG;
}

bool write_all(int file, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(file, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

// 0, or the errno of what failed; nothing is left behind then.
int create(const std::string& path, std::string_view content) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0) return errno;
  int failure = write_all(file, content) && ::fsync(file) == 0 ? 0 : errno;
  if (::close(file) != 0 && failure == 0) failure = errno;
  if (failure != 0) ::unlink(path.c_str());
  return failure;
}

// The name for a file that is whole, unless something has it: 0, or the errno of what failed. A link at the place
// counts as something. Where the file system has no hard links the file is made there at once.
int take_name(const std::string& temporary, const std::string& path, std::string_view content) {
  const int failure = ::link(temporary.c_str(), path.c_str()) == 0 ? 0 : errno;
  ::unlink(temporary.c_str());
  const bool has_no_links = failure == EPERM || failure == EOPNOTSUPP || failure == ENOSYS || failure == EMLINK;
  return has_no_links ? create(path, content) : failure;
}

Failure is_taken(const std::string& path) {
  return invalid(
      fmt::format("'{}' exists already, and nothing is ever written over; name another file, or remove this one "
                  "first",
                  path));
}

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

Result<std::string> read_file(const std::string& path, std::size_t most) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return cannot_read(path, std::strerror(errno));
  std::string content;
  const int failure = is_larger(file, most) ? EFBIG : read_all(file, content, most);
  ::close(file);
  if (failure != 0) return cannot_read(path, std::strerror(failure));
  return content;
}

Result<void> check_new(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::exists(std::filesystem::symlink_status(path, ignored))) return is_taken(path);
  return {};
}

Result<void> write_file(const std::string& path, std::string_view content) {
  if (Result<void> is_new = check_new(path); !is_new) return is_new;
  const std::string temporary = fmt::format("{}.{}.tmp", path, ::getpid());
  if (const int failure = create(temporary, content); failure != 0) return cannot_write(path, std::strerror(failure));
  const int failure = take_name(temporary, path, content);
  if (failure == EEXIST) return is_taken(path);
  return failure == 0 ? Result<void>() : cannot_write(path, std::strerror(failure));
}

Result<Folder> Folder::begin(const fs::path& place) {
  std::error_code error;
  const fs::path resolved = fs::weakly_canonical(place.has_filename() ? place : place.parent_path(), error);
  if (error) return cannot_make(place, error.message());
  VERNIER_TRY(check_free(place, resolved));
  const fs::path temporary = fmt::format("{}.{}.tmp", resolved.string(), ::getpid());
  if (::mkdir(temporary.c_str(), 0777) != 0) return cannot_make(place, std::strerror(errno));
  return Folder(resolved, temporary);
}

Folder::Folder(fs::path place, fs::path temporary) : place_(std::move(place)), temporary_(std::move(temporary)) {}

Folder::Folder(Folder&& other) noexcept
    : place_(std::move(other.place_)), temporary_(std::exchange(other.temporary_, {})) {}

Folder::~Folder() {
  std::error_code ignored;
  if (!temporary_.empty()) fs::remove_all(temporary_, ignored);
}

Result<void> Folder::write(const std::string& name, std::string_view content) const {
  return write_file((temporary_ / name).string(), content);
}

Result<void> Folder::finish() {
  sync_folder(temporary_);
  if (std::rename(temporary_.c_str(), place_.c_str()) != 0) return cannot_make(place_, std::strerror(errno));
  temporary_.clear();
  sync_folder(place_.parent_path());
  return {};
}

Result<void> write_documents(Folder& folder, const ledger::Documents& documents) {
  for (const ledger::Document& document : documents) {
    if (document.name == spoken) continue;
    VERNIER_TRY(folder.write(document.name, document.content));
  }
  return folder.finish();
}

Result<void> write_folder(const fs::path& place, const ledger::Documents& documents) {
  VERNIER_TRY(Folder folder, Folder::begin(place));
  return write_documents(folder, documents);
}

}  // namespace vernier::study
