#pragma once

#include <cstdint>
#include <memory>
#include <string>

// A disk in memory below SQLite, with the worst that a power cut or a failing call may do (README.md).
namespace vernier::testing {

enum class Fault : std::uint8_t {
  io_error,     // EIO, of any call; of a sync: what was to be synced may be lost for ever
  disk_full,    // ENOSPC, of writes, syncs and whatever makes a file
  short_write,  // half of a write happened
};

class DiskState;

// Whether this thread is in a call of a simulated disk, whose own memory is none of the ledger's.
bool is_inside_simulated_disk();

// Registered with SQLite under a name of its own. Any number of connections of this process may use it; all must be
// closed before it goes, before a copy of it is made and before the power is cut.
class SimulatedDisk {
 public:
  SimulatedDisk();
  explicit SimulatedDisk(const SimulatedDisk& like);  // the same files on another disk, which does not fail yet
  SimulatedDisk& operator=(const SimulatedDisk&) = delete;
  ~SimulatedDisk();

  const std::string& name() const;  // for open_sqlite

  // Calls from 1 on: opening, deleting, looking for a file, reading, writing, truncating, syncing, asking for the size,
  // and taking locks. Unlocking and closing always work and do not count.
  std::int64_t calls() const;

  // At this call, and from then on, nothing works any more and nothing reaches the disk. 0: never.
  void stop_at(std::int64_t call);

  // This call fails once, where the fault is one of such calls.
  void fail_at(std::int64_t call, Fault fault, std::uint64_t seed = 0);
  bool has_failed() const;
  bool has_failed_to_write() const;  // it was a write, a truncation or a sync

  // From now on syncs say that they worked, and do nothing.
  void ignore_syncs();

  // The power goes and comes back: what was not synced survives in parts that the seed chooses. Calls count anew, and
  // work again.
  void cut_power(std::uint64_t seed);

  // The process ended and another begins: what was written stays. Calls count anew, and work again.
  void restart();

  int open_files() const;

 private:
  struct Layer;  // what SQLite knows of it
  std::unique_ptr<DiskState> state_;
  std::unique_ptr<Layer> layer_;
};

}  // namespace vernier::testing
