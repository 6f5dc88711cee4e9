#include "ledger/simulated_locks.hpp"

#include <sqlite3.h>

namespace vernier::testing {

int FileLocks::raise(const void* owner, int held, int wanted) {
  if (held >= wanted) return held;
  if (held == SQLITE_LOCK_NONE) {
    if (pending_ != nullptr) return held;
    ++sharing_;
    return SQLITE_LOCK_SHARED;
  }
  if (wanted == SQLITE_LOCK_EXCLUSIVE) return to_exclusive(owner, held);
  if (reserved_ != nullptr) return held;
  reserved_ = owner;
  return SQLITE_LOCK_RESERVED;
}

// Also without a reservation, as after a crash.
int FileLocks::to_exclusive(const void* owner, int held) {
  const auto is_of_another = [&](const void* holder) { return holder != nullptr && holder != owner; };
  if (is_of_another(reserved_) || is_of_another(pending_)) return held;
  pending_ = owner;
  return sharing_ == 1 ? SQLITE_LOCK_EXCLUSIVE : SQLITE_LOCK_PENDING;
}

void FileLocks::lower(const void* owner, int held, int wanted) {
  if (held <= wanted) return;
  if (reserved_ == owner) reserved_ = nullptr;
  if (pending_ == owner) pending_ = nullptr;
  if (wanted == SQLITE_LOCK_NONE) --sharing_;
}

char* SharedMemory::region(int number, int size, bool extends) {
  const auto wanted = static_cast<std::size_t>(number);
  while (extends && regions_.size() <= wanted) {
    regions_.push_back(std::make_unique<char[]>(static_cast<std::size_t>(size)));  // zeros
  }
  return wanted < regions_.size() ? regions_[wanted].get() : nullptr;
}

bool SharedMemory::lock_shared(int slot) {
  Slot& one = slots_.at(static_cast<std::size_t>(slot));
  if (one.is_alone) return false;
  ++one.sharing;
  return true;
}

bool SharedMemory::lock_alone(int first, int number) {
  for (int slot = first; slot < first + number; ++slot) {
    const Slot& one = slots_.at(static_cast<std::size_t>(slot));
    if (one.is_alone || one.sharing > 0) return false;
  }
  for (int slot = first; slot < first + number; ++slot) slots_.at(static_cast<std::size_t>(slot)).is_alone = true;
  return true;
}

void SharedMemory::unlock_alone(int first, int number) {
  for (int slot = first; slot < first + number; ++slot) slots_.at(static_cast<std::size_t>(slot)).is_alone = false;
}

}  // namespace vernier::testing
