#include "vernier/release/ledger/table_marks.hpp"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <optional>

#include <fcntl.h>
#include <unistd.h>

#include "vernier/core/hash.hpp"
#include "vernier/core/names.hpp"

namespace vernier::release {
namespace {

namespace fs = std::filesystem;

class Descriptor {
 public:
  Descriptor(const fs::path& path, int flags) : number_(::open(path.c_str(), flags | O_CLOEXEC, 0600)) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  bool is_open() const { return number_ >= 0; }
  bool sync() const { return ::fsync(number_) == 0; }
  bool write(const std::string& text) const {
    return ::write(number_, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  }
  std::string text() const {
    std::string all(4096, '\0');
    const ssize_t got = ::read(number_, all.data(), all.size());
    all.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
    return all;
  }

 private:
  int number_;
};

bool synced(const fs::path& folder) {
  const Descriptor opened(folder.empty() ? fs::path(".") : folder, O_RDONLY | O_DIRECTORY);
  return opened.is_open() && opened.sync();
}

// Whole and on the disk, under its name, once this has returned.
bool written(const fs::path& path, const std::string& text) {
  std::error_code failure;
  if (fs::create_directories(path.parent_path(), failure) && !synced(path.parent_path().parent_path())) return false;
  static std::atomic<int> drafts = 0;
  const fs::path draft = path.string() + "." + std::to_string(::getpid()) + "." + std::to_string(++drafts);
  {
    const Descriptor file(draft, O_WRONLY | O_CREAT | O_TRUNC);
    if (!file.is_open() || !file.write(text) || !file.sync()) return false;
  }
  fs::rename(draft, path, failure);
  return !failure && synced(path.parent_path());
}

// Whether there is such a file; an error where nobody can tell.
Result<bool> is_there(const fs::path& path) {
  std::error_code failure;
  const bool found = fs::exists(fs::symlink_status(path, failure));
  if (!failure || failure == std::errc::no_such_file_or_directory) return found;
  return fail(ErrorKind::system, "the mark '" + path.string() + "' cannot be looked at: " + failure.message());
}

std::string hashed(const std::string& text) { return sha256(text).value_or(""); }

}  // namespace

// Named by a hash, since a table's name may be no name of a file.
fs::path TableMarks::mark(const std::string& table, const char* kind) const {
  return folder_ / (hashed(fold_case(table)).substr(0, 16) + kind);
}

std::string TableMarks::how_to_reopen(const std::string& table) const {
  return remedy_ + " and write '" + reopening_ + table + "'";
}

Result<void> TableMarks::check_open(const std::vector<std::string>& tables) const {
  if (folder_.empty()) return {};
  for (const std::string& table : tables) {
    VERNIER_TRY(const bool is_closed, is_there(mark(table, ".closed")));
    if (!is_closed) continue;
    return fail(ErrorKind::system,
                "the table '" + table +
                    "' is closed, since the engine failed on it in an earlier run; its steward can " +
                    how_to_reopen(table) + "; nothing was charged");
  }
  return {};
}

std::string TableMarks::close(const std::vector<std::string>& tables) const {
  if (folder_.empty()) return {};
  for (const std::string& table : tables) {
    const std::string text = "The table '" + table +
                             "' is closed: the engine failed on it after data had been read. To open it again, " +
                             how_to_reopen(table) + ".\n";
    if (!written(mark(table, ".closed"), text))
      return "; the table '" + table + "' should be closed, but no mark could be written to '" + folder_.string() +
             "': " + std::strerror(errno);
  }
  const std::string& first = tables.front();
  return "; the " + std::string(tables.size() == 1 ? "table '" + first + "' is" : "tables of the study are") +
         " closed until the steward reopens " + (tables.size() == 1 ? "it" : "each") + ": " + how_to_reopen(first);
}

Result<bool> TableMarks::reopen(const std::string& table) const {
  std::error_code failure;
  fs::remove(mark(table, ".seen"), failure);
  const bool was_closed = !failure && fs::remove(mark(table, ".closed"), failure);
  if (failure) return fail(ErrorKind::system, "the table '" + table + "' cannot be reopened: " + failure.message());
  if (was_closed) synced(folder_);
  return was_closed;
}

bool TableMarks::has_seen(const std::string& table, const std::string& state) const {
  if (folder_.empty()) return false;
  const Descriptor file(mark(table, ".seen"), O_RDONLY);
  const std::string hash = hashed(state);
  return file.is_open() && !hash.empty() && file.text() == hash + "\n";
}

void TableMarks::remember(const std::string& table, const std::string& state) const {
  if (!folder_.empty()) written(mark(table, ".seen"), hashed(state) + "\n");
}

}  // namespace vernier::release
