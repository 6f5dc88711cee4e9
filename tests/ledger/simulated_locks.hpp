#pragma once

#include <array>
#include <memory>
#include <vector>

// The locks that SQLite takes on a file, among the connections of one process (as os_unix.c has them among processes).
namespace vernier::testing {

// On the main file: any number share; one reserves; one that waits to be alone keeps new ones out. An owner is the
// address of an open file.
class FileLocks {
 public:
  // From `held` to `wanted`, levels of sqlite3.h; the level that the owner has afterwards.
  int raise(const void* owner, int held, int wanted);
  void lower(const void* owner, int held, int wanted);
  bool is_reserved() const { return reserved_ != nullptr; }

 private:
  int to_exclusive(const void* owner, int held);
  int sharing_ = 0;
  const void* reserved_ = nullptr;
  const void* pending_ = nullptr;
};

// The index of a write-ahead log: memory that lives as long as somebody has it open, and its eight locks.
class SharedMemory {
 public:
  // The region, made where it is missing and `extends`; null where there is none.
  char* region(int number, int size, bool extends);

  bool lock_shared(int slot);
  bool lock_alone(int first, int number);
  void unlock_shared(int slot) { --slots_.at(static_cast<std::size_t>(slot)).sharing; }
  void unlock_alone(int first, int number);

 private:
  struct Slot {
    int sharing = 0;
    bool is_alone = false;
  };
  std::vector<std::unique_ptr<char[]>> regions_;
  std::array<Slot, 8> slots_;
};

}  // namespace vernier::testing
