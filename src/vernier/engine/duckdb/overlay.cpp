#include "vernier/engine/duckdb/overlay.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <shared_mutex>
#include <vector>

#include <unistd.h>

#include "vernier/engine/parquet/footer.hpp"

namespace vernier::engine {

struct ParquetOverlay::Laid {
  FileState state;
  std::vector<ParquetColumn> columns;
  std::int64_t begin;  // where the tail takes the place of the file's own bytes, up to its end
  std::string tail;
  std::atomic<bool> was_read = false;
};

namespace {

using Laid = ParquetOverlay::Laid;

// All that are laid in this process. Few: one for each Parquet file of each session that is open.
struct Registry {
  std::shared_mutex lock;
  std::vector<std::shared_ptr<Laid>> laid;
  std::atomic<std::size_t> count = 0;  // so that a read without any overlay costs nothing
};

// Never gone: an engine's thread may read until the very end of the process.
Registry& registry() {
  static Registry& all = *new Registry();
  return all;
}

// What lies over the file that is being read.
struct Found {
  bool is_overlaid = false;    // there is an overlay of this file, in this state or in another
  std::shared_ptr<Laid> laid;  // the one of this state
};

Found find_overlay(const FileState& state) {
  Registry& all = registry();
  const std::shared_lock held(all.lock);
  Found found;
  for (const std::shared_ptr<Laid>& one : all.laid) {
    if (!one->state.is_same_file(state)) continue;
    found.is_overlaid = true;
    if (one->state == state) found.laid = one;
  }
  return found;
}

// Several sessions may lie over one file in one state; each of them sees that its end was read.
void mark_as_read(const FileState& state) {
  Registry& all = registry();
  const std::shared_lock held(all.lock);
  for (const std::shared_ptr<Laid>& one : all.laid) {
    if (one->state == state) one->was_read = true;
  }
}

void lay_over(const Laid& laid, char* buffer, std::int64_t from, std::int64_t count) {
  const std::int64_t first = std::max(from, laid.begin);
  const std::int64_t last = std::min(from + count, laid.begin + static_cast<std::int64_t>(laid.tail.size()));
  if (first >= last) return;
  std::memcpy(buffer + (first - from), laid.tail.data() + (first - laid.begin), static_cast<std::size_t>(last - first));
  mark_as_read(laid.state);
}

using Read = ssize_t (*)(int, void*, std::size_t, off_t);

ssize_t fails() {
  errno = EIO;
  return -1;
}

ssize_t read_overlaid(Read read, int descriptor, void* buffer, std::size_t count, off_t from) {
  const std::optional<FileState> state = state_of_file(descriptor);
  if (!state) return fails();
  const Found found = find_overlay(*state);
  const ssize_t got = read(descriptor, buffer, count, from);
  if (got <= 0 || !found.is_overlaid) return got;
  if (!found.laid) return fails();
  lay_over(*found.laid, static_cast<char*>(buffer), from, got);
  return got;
}

}  // namespace

ParquetOverlay::ParquetOverlay(std::string path, std::shared_ptr<Laid> laid)
    : path_(std::move(path)), laid_(std::move(laid)) {
  Registry& all = registry();
  const std::unique_lock held(all.lock);
  all.laid.push_back(laid_);
  ++all.count;
}

ParquetOverlay::~ParquetOverlay() {
  Registry& all = registry();
  const std::unique_lock held(all.lock);
  std::erase(all.laid, laid_);
  --all.count;
}

Result<std::unique_ptr<ParquetOverlay>> ParquetOverlay::of(const std::string& path) {
  VERNIER_TRY(const ParquetFile file, ParquetFile::open(path));
  VERNIER_TRY(std::vector<ParquetColumn> columns, columns_in_footer(file.footer));
  VERNIER_TRY(std::string tail, plain_tail(file));
  auto laid = std::make_shared<Laid>();
  laid->state = file.state;
  laid->columns = std::move(columns);
  laid->begin = file.data_end();
  laid->tail = std::move(tail);
  return std::unique_ptr<ParquetOverlay>(new ParquetOverlay(path, std::move(laid)));
}

const std::vector<ParquetColumn>& ParquetOverlay::columns() const { return laid_->columns; }
const FileState& ParquetOverlay::state() const { return laid_->state; }
bool ParquetOverlay::is_current() const { return state_of_file(path_) == laid_->state; }
bool ParquetOverlay::was_read() const { return laid_->was_read; }

}  // namespace vernier::engine

// With `--wrap=pread` the linker hands every pread of what is linked together to __wrap_pread, and __real_pread is that
// of the C library.
extern "C" {
ssize_t __real_pread(int descriptor, void* buffer, std::size_t count, off_t from);  // NOLINT

[[gnu::used]] ssize_t __wrap_pread(int descriptor, void* buffer, std::size_t count, off_t from) {  // NOLINT
  if (vernier::engine::registry().count == 0) return __real_pread(descriptor, buffer, count, from);
  try {
    return vernier::engine::read_overlaid(__real_pread, descriptor, buffer, count, from);
  } catch (...) {
    return vernier::engine::fails();
  }
}
}
