#include "vernier/engine/file_state.hpp"

#include <algorithm>
#include <chrono>

#include <sys/stat.h>

namespace vernier::engine {
namespace {

std::int64_t nanoseconds(const timespec& time) { return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec; }

constexpr std::int64_t youngest = 2'000'000'000;  // nanoseconds; the coarsest clock of a file system has steps of that

std::int64_t now() {
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(since).count();
}

FileState state_in(const struct stat& found) {
  return {found.st_dev, found.st_ino, found.st_size, nanoseconds(found.st_mtim), nanoseconds(found.st_ctim)};
}

}  // namespace

std::optional<FileState> state_of_file(int descriptor) {
  struct stat found {};
  if (::fstat(descriptor, &found) != 0) return std::nullopt;
  return state_in(found);
}

std::optional<FileState> state_of_file(const std::string& path) {
  struct stat found {};
  if (::stat(path.c_str(), &found) != 0) return std::nullopt;
  return state_in(found);
}

std::string text_of(const FileState& state, const std::string& what) {
  if (std::max(state.modified, state.changed) > now() - youngest) return {};
  std::string text;
  for (const std::uint64_t number : {state.device, state.node}) text += std::to_string(number) + " ";
  for (const std::int64_t number : {state.size, state.modified, state.changed}) text += std::to_string(number) + " ";
  return text + what;
}

}  // namespace vernier::engine
