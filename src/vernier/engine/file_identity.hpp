#pragma once

#include <filesystem>
#include <optional>

#include <sys/stat.h>

namespace vernier::engine {

// Which file it is, whatever paths and links lead to it.
struct FileIdentity {
  dev_t device;
  ino_t inode;

  friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
};

inline FileIdentity identity_of(const struct stat& status) { return {status.st_dev, status.st_ino}; }

// None where there is no such file.
inline std::optional<FileIdentity> identity_of(const std::filesystem::path& path) {
  struct stat status = {};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return identity_of(status);
}

}  // namespace vernier::engine
