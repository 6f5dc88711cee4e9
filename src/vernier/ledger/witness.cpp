#include "vernier/ledger/witness.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <system_error>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "vernier/core/hash.hpp"

namespace vernier::ledger {
namespace {

// Makes a system call again where a signal interrupted it.
template <class Call>
auto persistently(const Call& call) {
  auto answer = call();
  while (answer < 0 && errno == EINTR) answer = call();
  return answer;
}

// Closed when it goes.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  int number() const { return number_; }
  int release() { return std::exchange(number_, -1); }

 private:
  int number_;
};

// One process, and one Witness of it, at a time (flock). The kernel would wait for ever.
class Lock {
 public:
  Lock(int descriptor, std::chrono::milliseconds longest_wait) : descriptor_(descriptor) {
    const auto deadline = std::chrono::steady_clock::now() + longest_wait;
    while (true) {
      if (persistently([&] { return ::flock(descriptor, LOCK_EX | LOCK_NB); }) == 0) return;
      reason_ = errno;
      if (reason_ != EWOULDBLOCK || std::chrono::steady_clock::now() > deadline) return;
      std::this_thread::sleep_for(std::chrono::microseconds(200));
      reason_ = 0;
    }
  }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
  ~Lock() { ::flock(descriptor_, LOCK_UN); }

  Result<void> held(const std::filesystem::path& path, std::chrono::milliseconds longest_wait) const;

 private:
  int descriptor_;
  int reason_ = 0;  // why it is not held
};

Failure failure(const char* what, const std::filesystem::path& path, int reason) {
  return fail(
      ErrorKind::system,
      "the witness '" + path.string() + "' could not be " + what + " (" + std::generic_category().message(reason) + ")",
      "check the file and its folder");
}

Result<void> Lock::held(const std::filesystem::path& path, std::chrono::milliseconds longest_wait) const {
  if (reason_ == 0) return {};
  if (reason_ != EWOULDBLOCK) return failure("locked", path, reason_);
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(longest_wait).count();
  return fail(
      ErrorKind::system,
      "the witness '" + path.string() + "' was held by another process for " + std::to_string(seconds) + " seconds",
      "see which one hangs, then try again");
}

Failure damaged(const std::filesystem::path& path) {
  return fail(ErrorKind::system, "the witness '" + path.string() + "' is damaged: neither of its two lines holds",
              "compare the ledger's head with that "
              "of its last release, then move the witness away, and a new one is made");
}

// As much as there is; in the bytes.
using Bytes = std::array<char, 2 * slot_size>;
Result<std::string_view> read_file(int descriptor, const std::filesystem::path& path, Bytes& bytes) {
  const ssize_t got = persistently([&] { return ::pread(descriptor, bytes.data(), bytes.size(), 0); });
  if (got < 0) return failure("read", path, errno);
  return std::string_view(bytes.data(), static_cast<std::size_t>(got));
}

// None where the file is empty.
Result<std::optional<Remembered>> slots_in(std::string_view file, const std::filesystem::path& path) {
  Result<std::optional<Remembered>> remembered = remembered_in(file);
  if (remembered && !*remembered && !file.empty()) return damaged(path);
  return remembered;
}

Result<std::optional<Witness::Memory>> read_memory(int descriptor, const std::filesystem::path& path,
                                                   std::chrono::milliseconds longest_wait) {
  const Lock lock(descriptor, longest_wait);
  VERNIER_TRY(lock.held(path, longest_wait));
  Bytes bytes;
  VERNIER_TRY(const std::string_view file, read_file(descriptor, path, bytes));
  VERNIER_TRY(const std::optional<Remembered> remembered, slots_in(file, path));
  if (!remembered) return std::nullopt;
  return remembered->memory;
}

Result<void> write_at(int descriptor, const std::filesystem::path& path, const std::string& text, off_t at) {
  const ssize_t put = persistently([&] { return ::pwrite(descriptor, text.data(), text.size(), at); });
  if (put < 0) return failure("written", path, errno);
  if (static_cast<std::size_t>(put) < text.size()) return failure("written", path, ENOSPC);
  return {};
}

int open_existing(const std::filesystem::path& path) {
  return persistently([&] { return ::open(path.c_str(), O_RDWR | O_CLOEXEC); });
}

std::filesystem::path folder_of(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : ".";
}

// So that a power cut does not take the new file's name again. It would vouch for less: no error.
void sync_folder(const std::filesystem::path& path) {
  const Descriptor folder(::open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.number() >= 0) ::fsync(folder.number());
}

// A file that already has the name keeps it. Not every file system knows both calls.
bool has_got_name(const std::string& draft, const std::filesystem::path& path) {
  int answer = ::renameat2(AT_FDCWD, draft.c_str(), AT_FDCWD, path.c_str(), RENAME_NOREPLACE);
  if (answer != 0 && errno == EINVAL) answer = ::link(draft.c_str(), path.c_str());
  return answer == 0 || errno == EEXIST;
}

// A file with this content under the name, durable before it has it; one that another process made meanwhile stays.
Result<void> make(const std::filesystem::path& path, const std::string& content) {
  std::error_code error;
  std::filesystem::create_directories(folder_of(path), error);
  if (error) return failure("made", path, error.value());
  std::string draft = path.string() + ".XXXXXX";
  const Descriptor file(::mkostemp(draft.data(), O_CLOEXEC));  // 0600
  if (file.number() < 0) return failure("made", path, errno);
  Result<void> made = write_at(file.number(), path, content, 0);
  if (made && ::fsync(file.number()) != 0) made = failure("made", path, errno);
  if (made && !has_got_name(draft, path)) made = failure("made", path, errno);
  ::unlink(draft.c_str());
  sync_folder(path);
  return made;
}

Result<void> refuse_other(const Witness::Memory& memory, const Witness::Memory& seen,
                          const std::filesystem::path& path) {
  if (memory.ledger != seen.ledger) {
    return invalid("the witness '" + path.string() + "' belongs to another ledger (its first entry has the hash " +
                       seen.ledger + ", here it is " + memory.ledger + ")",
                   "give each ledger a witness of its own");
  }
  if (memory.position.index == seen.position.index && memory.position.head != seen.position.head) {
    return invalid("the witness '" + path.string() + "' saw another entry " + std::to_string(seen.position.index) +
                       " of this ledger (its hash was " + seen.position.head + ", now it is " + memory.position.head +
                       "): the ledger was copied and both copies went on",
                   "go on with the one that has the released entries");
  }
  return {};
}

}  // namespace

Result<Witness> Witness::open(const std::filesystem::path& path, std::chrono::milliseconds longest_wait) {
  Descriptor file(open_existing(path));
  if (file.number() < 0 && errno == ENOENT) return Witness(path, longest_wait, -1, std::nullopt);
  if (file.number() < 0) return failure("opened", path, errno);
  VERNIER_TRY(std::optional<Memory> memory, read_memory(file.number(), path, longest_wait));
  return Witness(path, longest_wait, file.release(), std::move(memory));
}

Witness::Witness(std::filesystem::path path, std::chrono::milliseconds longest_wait, int descriptor,
                 std::optional<Memory> memory)
    : path_(std::move(path)), longest_wait_(longest_wait), descriptor_(descriptor), memory_(std::move(memory)) {}

Witness::Witness(Witness&& other) noexcept
    : path_(std::move(other.path_)),
      longest_wait_(other.longest_wait_),
      descriptor_(std::exchange(other.descriptor_, -1)),
      is_unsynced_(std::exchange(other.is_unsynced_, false)),
      memory_(std::move(other.memory_)),
      file_(std::move(other.file_)),
      slot_(other.slot_) {}

Witness& Witness::operator=(Witness&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(longest_wait_, other.longest_wait_);
  std::swap(descriptor_, other.descriptor_);
  std::swap(is_unsynced_, other.is_unsynced_);
  std::swap(memory_, other.memory_);
  std::swap(file_, other.file_);
  std::swap(slot_, other.slot_);
  return *this;
}

Witness::~Witness() {
  if (descriptor_ < 0) return;
  if (is_unsynced_) ::fsync(descriptor_);  // where it fails, the witness vouches for less
  ::close(descriptor_);
}

Result<void> Witness::remember(const Memory& memory) {
  VERNIER_TRY(const std::string slot, slot_of(memory));
  if (descriptor_ < 0) {
    if (Result<void> made = make(path_, slot + std::string(slot_size - 1, ' ') + '\n'); !made) return made;
    descriptor_ = open_existing(path_);
    if (descriptor_ < 0) return failure("opened", path_, errno);
  }
  return remember_locked(memory, slot);
}

// Takes what another process wrote since. To be called under the lock.
Result<void> Witness::look() {
  Bytes bytes;
  VERNIER_TRY(const std::string_view file, read_file(descriptor_, path_, bytes));
  if (file == file_) return {};
  VERNIER_TRY(const std::optional<Remembered> seen, slots_in(file, path_));
  if (seen) memory_ = seen->memory;
  slot_ = seen ? seen->slot : 1;
  file_ = file;
  return {};
}

// Writes over the slot that does not count, so that a write that stops anywhere leaves the other one.
Result<void> Witness::remember_locked(const Memory& memory, const std::string& slot) {
  const Lock lock(descriptor_, longest_wait_);
  if (Result<void> held = lock.held(path_, longest_wait_); !held) return held;
  if (Result<void> looked = look(); !looked) return looked;
  if (!file_.empty()) {
    if (Result<void> same = refuse_other(memory, *memory_, path_); !same) return same;
    if (memory.position.index <= memory_->position.index) return {};
  }
  const std::size_t target = slot_ == 0 ? slot_size : 0;
  std::string file = std::exchange(file_, {});  // unknown, until all of it is written
  is_unsynced_ = true;
  if (Result<void> put = write_at(descriptor_, path_, slot, static_cast<off_t>(target)); !put) return put;
  memory_ = memory;
  file.resize(std::max(file.size(), target + slot_size));
  file_ = std::move(file.replace(target, slot_size, slot));
  slot_ = 1 - slot_;
  return {};
}

namespace {

constexpr std::string_view before_ledger = "vernier witness 1 ledger ";
constexpr std::string_view before_index = " entry ";
constexpr std::string_view before_head = " head ";
constexpr std::string_view before_hash = " sha256 ";
constexpr std::size_t hash_size = 64;

// Without a branch for each digit: it is asked at every commit.
bool is_hash(std::string_view text) {
  const auto is_between = [](char c, char first, char last) { return (c >= first) & (c <= last); };
  int digits = 0;
  for (const char c : text) digits += is_between(c, '0', '9') | is_between(c, 'a', 'f');
  return text.size() == hash_size && digits == static_cast<int>(hash_size);
}

// The line up to its hash, which stands for it.
std::string body_of(const Witness::Memory& memory) {
  std::string body;
  body.reserve(slot_size);
  body.append(before_ledger);
  body.append(memory.ledger).append(before_index).append(std::to_string(memory.position.index));
  return body.append(before_head).append(memory.position.head);
}

bool skip(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}

std::string take_hash(std::string_view& text) {
  const std::string hash(text.substr(0, hash_size));
  text.remove_prefix(hash.size());
  return hash;
}

std::int64_t take_number(std::string_view& text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return error == std::errc() ? number : 0;
}

// Leaves the rest of the slot in `text`.
std::optional<Witness::Memory> read_body(std::string_view& text) {
  Witness::Memory memory;
  if (!skip(text, before_ledger)) return std::nullopt;
  memory.ledger = take_hash(text);
  if (!skip(text, before_index)) return std::nullopt;
  memory.position.index = take_number(text);
  if (!skip(text, before_head)) return std::nullopt;
  memory.position.head = take_hash(text);
  return memory;
}

bool is_sound(const Witness::Memory& memory) {
  return is_hash(memory.ledger) && is_hash(memory.position.head) && memory.position.index >= 1;
}

}  // namespace

Result<std::string> slot_of(const Witness::Memory& memory) {
  if (!is_sound(memory)) {
    return invalid("a witness remembers an entry from 1 on and two hashes of 64 hex digits, but it was given entry " +
                   std::to_string(memory.position.index) + ", ledger '" + memory.ledger + "' and head '" +
                   memory.position.head + "'");
  }
  std::string line = body_of(memory);
  VERNIER_TRY(const Sha256Digits hash, sha256_digits(line));
  line.append(before_hash).append(text_of(hash));
  line.resize(slot_size, ' ');
  line.back() = '\n';
  return line;
}

// Whatever reads as a memory is written anew and compared: only the one spelling of it counts.
Result<std::optional<Witness::Memory>> memory_in(std::string_view slot) {
  std::string_view rest = slot;
  const std::optional<Witness::Memory> memory = read_body(rest);
  if (!memory || !is_sound(*memory)) return std::nullopt;
  VERNIER_TRY(const std::string whole, slot_of(*memory));
  if (whole != slot) return std::nullopt;
  return memory;
}

Result<std::optional<Remembered>> remembered_in(std::string_view file) {
  std::optional<Remembered> furthest;
  for (int slot = 0; slot < 2; ++slot) {
    const std::size_t begin = std::min(file.size(), static_cast<std::size_t>(slot) * slot_size);
    VERNIER_TRY(const std::optional<Witness::Memory> memory, memory_in(file.substr(begin, slot_size)));
    if (!memory) continue;
    if (!furthest || furthest->memory.position.index < memory->position.index) furthest = {*memory, slot};
  }
  return furthest;
}

}  // namespace vernier::ledger
