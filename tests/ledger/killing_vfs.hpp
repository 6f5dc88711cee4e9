#pragma once

#include <cstdint>
#include <string>

// SQLite's usual files, and a process that ends itself with SIGKILL in the middle of them. What was written before
// stays in the files, as after a kill -9; what a power cut would take as well is the simulated disk's business.
namespace vernier::testing {

// Registers the layer, once in a process; its name is for open_sqlite.
std::string install_killing_vfs();

enum class Moment : std::uint8_t {
  before,   // nothing of the call has happened
  halfway,  // of a write, its first half stands in the file; of any other call, nothing
};

// Counts from now on, and kills this process at the n-th call from 1 on; 0: never.
void kill_at(std::int64_t call, Moment moment = Moment::before);

// Calls since the last kill_at: opening, deleting, looking for a file, reading, writing, truncating, syncing, asking
// for the size, and taking locks; of all files together.
std::int64_t calls_so_far();

}  // namespace vernier::testing
