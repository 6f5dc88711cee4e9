#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include <unistd.h>

#include "vernier/core/result.hpp"

namespace vernier::engine {

// A file that is closed at the end.
class OpenFile {
 public:
  explicit OpenFile(int file) : file_(file) {}
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() {
    if (file_ >= 0) ::close(file_);
  }
  int get() const { return file_; }
  int release() { return std::exchange(file_, -1); }

 private:
  int file_;
};

// The folder of the environment, TMPDIR, or /tmp.
std::string folder_of_temporary();

// A file in a folder that has no name and goes with the last who has it open; below 0, with errno, where there can be
// none.
int open_nameless(const std::string& folder);

// False, with errno, where not all of it could be written.
bool write_all(int file, const void* from, std::size_t count);

// The sentence for it: `what` cannot be done in the folder, by errno.
Failure no_room(const std::string& what, const std::string& folder);

}  // namespace vernier::engine
