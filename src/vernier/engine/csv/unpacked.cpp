#include "vernier/engine/csv/unpacked.hpp"

#include <cerrno>
#include <cstring>
#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include "vernier/core/names.hpp"
#include "vernier/engine/csv/file.hpp"
#include "vernier/engine/csv/unpacker.hpp"
#include "vernier/engine/file_state.hpp"
#include "vernier/engine/nameless_file.hpp"

namespace vernier::engine {
namespace {

constexpr std::size_t part_size = std::size_t{1} << 18;

Failure damaged(const std::string& path) {
  return fail(ErrorKind::system, "the file '" + path + "' is damaged, or is not what its name says",
              "pack it anew, or name the file that it was made from");
}

ssize_t read_some(int file, std::vector<unsigned char>& to) {
  ssize_t count = 0;
  do count = ::read(file, to.data(), to.size());
  while (count < 0 && errno == EINTR);
  return count;
}

std::unique_ptr<Unpacker> unpacker_of(const std::string& path) {
  return fold_case(path).ends_with(".zst") ? unpacker_of_zstd() : unpacker_of_gzip();
}

enum class Outcome : std::uint8_t { done, damaged, unread, no_room };

// All of one file into another, up to so many bytes.
Outcome unpack(Unpacker& unpacker, int from, int to, std::int64_t most) {
  std::vector<unsigned char> packed(part_size), plain(part_size);
  std::span<const unsigned char> left;
  bool has_more = false;  // of what was taken already
  while (most > 0) {
    if (left.empty() && !has_more) {
      const ssize_t count = read_some(from, packed);
      if (count < 0) return Outcome::unread;
      if (count == 0) return unpacker.may_end() ? Outcome::done : Outcome::damaged;
      left = std::span<const unsigned char>(packed).first(static_cast<std::size_t>(count));
    }
    const auto step = unpacker.step(left, plain);
    if (!step) return Outcome::damaged;
    if (!write_all(to, plain.data(), step->made)) return Outcome::no_room;
    left = left.subspan(step->taken);
    has_more = step->made == plain.size() && !unpacker.may_end();
    most -= static_cast<std::int64_t>(step->made);
  }
  return Outcome::done;
}

Result<int> unpacked(const std::string& path, std::int64_t most) {
  const OpenFile packed(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (packed.get() < 0) return unreadable_file(path, std::strerror(errno));
  const std::string folder = folder_of_temporary();
  OpenFile plain(open_nameless(folder));
  if (plain.get() < 0) return no_room("a compressed file cannot be unpacked", folder);
  switch (unpack(*unpacker_of(path), packed.get(), plain.get(), most)) {
    case Outcome::damaged:
      return damaged(path);
    case Outcome::unread:
      return unreadable_file(path, std::strerror(errno));
    case Outcome::no_room:
      return no_room("a compressed file cannot be unpacked", folder);
    case Outcome::done:
      break;
  }
  return plain.release();
}

// The same files are opened several times for one release: the last few stay unpacked while they are as they were.
class Recent {
 public:
  Result<int> open(const std::string& path) {
    const auto state = state_of_file(path);
    const std::string name = state ? text_of(*state, path) : "";
    const std::scoped_lock lock(mutex_);
    if (!name.empty()) {
      for (const Kept& one : kept_) {
        if (one.name == name) return again(*one.file, path);
      }
    }
    VERNIER_TRY(const int made, unpacked(path, std::numeric_limits<std::int64_t>::max()));
    if (name.empty()) return from_the_beginning(made);
    kept_.push_back({name, std::make_unique<OpenFile>(made)});
    if (kept_.size() > most_kept) kept_.pop_front();
    return again(*kept_.back().file, path);
  }

 private:
  struct Kept {
    std::string name;
    std::unique_ptr<OpenFile> file;
  };
  static constexpr std::size_t most_kept = 4;

  static int from_the_beginning(int file) {
    ::lseek(file, 0, SEEK_SET);
    return file;
  }

  // With a place of its own to read from.
  static Result<int> again(const OpenFile& file, const std::string& path) {
    const int opened = ::open(("/proc/self/fd/" + std::to_string(file.get())).c_str(), O_RDONLY | O_CLOEXEC);
    if (opened < 0) return unreadable_file(path, std::strerror(errno));
    return opened;
  }

  std::mutex mutex_;
  std::deque<Kept> kept_;
};

}  // namespace

Result<int> open_unpacked(const std::string& path, std::int64_t most) {
  static Recent recent;
  if (most == std::numeric_limits<std::int64_t>::max()) return recent.open(path);
  VERNIER_TRY(const int file, unpacked(path, most));
  ::lseek(file, 0, SEEK_SET);
  return file;
}

}  // namespace vernier::engine
