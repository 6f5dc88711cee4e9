#pragma once

#include <compare>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

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

// Which file it is, and in which state: whatever is written into it changes the times that the system keeps.
struct FileState {
  std::uint64_t device = 0;
  std::uint64_t node = 0;
  std::int64_t size = 0;
  std::int64_t modified = 0;  // in nanoseconds since 1970
  std::int64_t changed = 0;   // likewise; of the file or of what the system knows about it

  bool is_same_file(const FileState& other) const { return device == other.device && node == other.node; }
  friend auto operator<=>(const FileState&, const FileState&) = default;
};

// None where the system does not tell.
std::optional<FileState> state_of_file(int descriptor);
std::optional<FileState> state_of_file(const std::string& path);

// As a text, with what was done with it. Empty where the file was changed less than two seconds ago or in the future:
// its times may then stay the same at the next change.
std::string text_of(const FileState& state, const std::string& what);

}  // namespace vernier::engine
