#include "vernier/engine/nameless_file.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>

namespace vernier::engine {

std::string folder_of_temporary() {
  const char* const named = std::getenv("TMPDIR");
  return named != nullptr && *named == '/' ? named : "/tmp";
}

// Without a name from the beginning where the system can, else without one from the next moment on.
int open_nameless(const std::string& folder) {
  const int file = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (file >= 0) return file;
  std::string name = folder + "/vernier-XXXXXX";
  const int named = ::mkostemp(name.data(), O_CLOEXEC);
  if (named >= 0) ::unlink(name.c_str());
  return named;
}

bool write_all(int file, const void* from, std::size_t count) {
  const auto* next = static_cast<const char*>(from);
  while (count > 0) {
    const ssize_t written = ::write(file, next, count);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    next += written;
    count -= static_cast<std::size_t>(written);
  }
  return true;
}

Failure no_room(const std::string& what, const std::string& folder) {
  return fail(ErrorKind::system, what + " in '" + folder + "': " + std::strerror(errno),
              "make room there, or name another folder in the environment as TMPDIR");
}

}  // namespace vernier::engine
