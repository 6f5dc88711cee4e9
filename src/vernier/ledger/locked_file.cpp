#include "vernier/ledger/locked_file.hpp"

#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace vernier::ledger {
namespace {

// Makes a system call again where a signal interrupted it.
template <class Call>
auto persistently(const Call& call) {
  auto answer = call();
  while (answer < 0 && errno == EINTR) answer = call();
  return answer;
}

Failure failure(const char* what, const std::filesystem::path& path) {
  const std::string reason = std::generic_category().message(errno);
  return fail(ErrorKind::system, "the ledger '" + path.string() + "' could not be " + what + " (" + reason +
                                     "); check the file and its folder");
}

}  // namespace

Failure LockedFile::failed(const char* what) const { return failure(what, path_); }

Result<LockedFile> LockedFile::open(const std::filesystem::path& path, Missing missing) {
  const int flags = O_RDWR | O_APPEND | O_CLOEXEC | (missing == Missing::is_made ? O_CREAT : 0);
  const int descriptor = persistently([&] { return ::open(path.c_str(), flags, 0644); });
  if (descriptor < 0) return failure("opened", path);
  LockedFile file(path, descriptor);
  if (persistently([&] { return ::flock(descriptor, LOCK_EX); }) != 0) return failure("locked", path);
  return file;
}

LockedFile::LockedFile(LockedFile&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

LockedFile::~LockedFile() {
  if (descriptor_ >= 0) ::close(descriptor_);  // unlocks
}

Result<std::string> LockedFile::read() const {
  std::string text;
  std::array<char, 65536> part;
  while (true) {
    const auto at = static_cast<off_t>(text.size());
    const ssize_t got = persistently([&] { return ::pread(descriptor_, part.data(), part.size(), at); });
    if (got < 0) return failed("read");
    if (got == 0) return text;
    text.append(part.data(), static_cast<std::size_t>(got));
  }
}

Result<void> LockedFile::write_all(std::string_view text) {
  while (!text.empty()) {
    const ssize_t put = persistently([&] { return ::write(descriptor_, text.data(), text.size()); });
    if (put < 0) return failed("written");
    text.remove_prefix(static_cast<std::size_t>(put));
  }
  return {};
}

Result<void> LockedFile::sync_folder() const {
  const std::filesystem::path folder = path_.has_parent_path() ? path_.parent_path() : ".";
  const int descriptor = persistently([&] { return ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); });
  const bool synced = descriptor >= 0 && persistently([&] { return ::fsync(descriptor); }) == 0;
  if (descriptor >= 0) ::close(descriptor);
  if (!synced) return failed("made durable");
  return {};
}

Result<void> LockedFile::append(std::string_view text) {
  if (Result<void> written = write_all(text); !written) return written;
  if (persistently([&] { return ::fsync(descriptor_); }) != 0) return failed("made durable");
  return sync_folder();
}

}  // namespace vernier::ledger
