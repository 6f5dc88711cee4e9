#include "cli/file.hpp"

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace vernier::cli {
namespace {

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

// Where a link leads, so that the file behind it is replaced and not the link.
std::string behind_links(const std::string& path) {
  std::error_code error;
  const std::filesystem::path target = std::filesystem::weakly_canonical(path, error);
  return error ? path : target.string();
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

Result<void> write_file(const std::string& path, std::string_view content) {
  const std::string target = behind_links(path);
  std::error_code error;
  const auto status = std::filesystem::status(target, error);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    return cannot_write(path, "it is not a regular file");
  }
  const std::string temporary = fmt::format("{}.{}.tmp", target, ::getpid());
  if (const int failure = create(temporary, content); failure != 0) return cannot_write(path, std::strerror(failure));
  if (std::rename(temporary.c_str(), target.c_str()) != 0) {
    const int failure = errno;
    ::unlink(temporary.c_str());
    return cannot_write(path, std::strerror(failure));
  }
  return {};
}

}  // namespace vernier::cli
