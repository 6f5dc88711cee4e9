#include "ledger/memory/failing_memory.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

#include <sqlite3.h>

#include "ledger/simulated_disk.hpp"

namespace vernier::testing {
namespace {

std::atomic<std::int64_t> left_of_cpp{0};
std::atomic<std::int64_t> left_of_sqlite{0};
std::atomic<bool> has_failed{false};
sqlite3_mem_methods usual;

// Counts down to the one that fails.
bool fails(std::atomic<std::int64_t>& left) {
  if (left == 0 || is_inside_simulated_disk() || --left != 0) return false;
  has_failed = true;
  return true;
}

void* sqlite_malloc(int size) { return fails(left_of_sqlite) ? nullptr : usual.xMalloc(size); }
void* sqlite_realloc(void* memory, int size) { return fails(left_of_sqlite) ? nullptr : usual.xRealloc(memory, size); }

}  // namespace

void install_failing_memory() {
  sqlite3_config(SQLITE_CONFIG_GETMALLOC, &usual);
  sqlite3_mem_methods failing = usual;
  failing.xMalloc = sqlite_malloc;
  failing.xRealloc = sqlite_realloc;
  sqlite3_config(SQLITE_CONFIG_MALLOC, &failing);
  sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 0, 0);  // every allocation passes here
}

void fail_allocation(Memory memory, std::int64_t number) {
  if (number != 0) has_failed = false;
  (memory == Memory::of_cpp ? left_of_cpp : left_of_sqlite) = number;
}

bool has_allocation_failed() { return has_failed; }

void* failing_new(std::size_t size) {
  void* memory = fails(left_of_cpp) ? nullptr : std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace vernier::testing

void* operator new(std::size_t size) { return vernier::testing::failing_new(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
