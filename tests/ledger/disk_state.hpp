#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "ledger/simulated_disk.hpp"
#include "ledger/simulated_file.hpp"
#include "ledger/simulated_locks.hpp"

namespace vernier::testing {

// A file with its locks; it has a name, or is open, or both.
struct Inode {
  SimulatedFile file;
  FileLocks locks;
  std::weak_ptr<SharedMemory> memory;
};

// One handle on a file.
struct OpenFile {
  std::shared_ptr<Inode> inode;
  std::string name;
  bool goes_when_closed = false;
  bool syncs_folder = false;  // at its next sync
  int level = 0;              // of its lock
  std::shared_ptr<SharedMemory> memory = nullptr;
  unsigned shares = 0;  // the locks of the memory that it holds, as bits
  unsigned is_alone = 0;
};

enum class Call : std::uint8_t {
  open,
  make,
  read,
  write,
  truncate,
  sync,
  size,
  lock,
  remove,
  look,
  map,
  extend,
  lock_map
};

// One folder of files, and what happens to calls. Answers are result codes of SQLite.
class DiskState {
 public:
  DiskState() = default;
  explicit DiskState(const DiskState& like);
  DiskState& operator=(const DiskState&) = delete;

  std::unique_ptr<OpenFile> open(const char* name, int flags, int& code);
  void close(const OpenFile& file);
  int remove(const std::string& name, bool syncs_folder);
  int look(const std::string& name, bool with_content, int& is_there);

  int read(const OpenFile& file, char* to, std::size_t size, std::size_t at);
  int write(const OpenFile& file, std::string_view bytes, std::size_t at);
  int truncate(const OpenFile& file, std::size_t size);
  int sync(OpenFile& file);
  int size(const OpenFile& file, std::int64_t& size);

  int lock(OpenFile& file, int level);
  void unlock(OpenFile& file, int level);
  bool is_reserved(const OpenFile& file);

  int map(OpenFile& file, int region, int size, bool extends, char*& to);
  int lock_memory(OpenFile& file, int first, int number, bool alone);
  void unlock_memory(OpenFile& file, int first, int number, bool alone);
  void unmap(OpenFile& file);

  void lose_power(std::uint64_t seed);
  void begin_anew();

  std::mutex mutex;  // over all of it; held by whoever calls
  std::int64_t calls = 0;
  std::int64_t stop_at = 0;
  std::int64_t fail_at = 0;
  Fault fault = Fault::io_error;
  bool has_failed = false;
  bool failed_to_write = false;  // the call that failed
  bool ignores_syncs = false;
  int open_files = 0;
  Chance chance;

 private:
  using Names = std::map<std::string, std::shared_ptr<Inode>>;
  int answer_to(Call call);  // counts it
  void lose_names();
  Names seen_;
  Names durable_;
};

}  // namespace vernier::testing
