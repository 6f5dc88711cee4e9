#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "vernier/engine/key_index.hpp"

namespace vernier::engine {

// How often each value was seen: a table with open addresses, which doubles when it is half full.
class ValueCountsState {
 public:
  struct Slot {
    std::int64_t value = 0;
    std::int64_t count = 0;  // 0: free
  };

  void add(std::int64_t value, std::int64_t count) {
    if (2 * (size_ + 1) > slots_.size()) grow();
    Slot& slot = slots_[place_of(value)];
    if (slot.count == 0) {
      slot.value = value;
      ++size_;
    }
    slot.count += count;
  }

  void merge(const ValueCountsState& other) {
    for (const Slot& slot : other.slots_) {
      if (slot.count > 0) add(slot.value, slot.count);
    }
  }

  std::size_t size() const { return size_; }  // different values

  template <class Visit>
  void for_each(Visit visit) const {
    for (const Slot& slot : slots_) {
      if (slot.count > 0) visit(slot);
    }
  }

 private:
  static constexpr std::size_t first_slots = 8;

  std::size_t place_of(std::int64_t value) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = detail::hash_of(value) & mask;
    while (slots_[at].count > 0 && slots_[at].value != value) at = (at + 1) & mask;
    return at;
  }

  void grow() {
    std::vector<Slot> old(slots_.empty() ? first_slots : 2 * slots_.size());
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.count > 0) slots_[place_of(slot.value)] = slot;
    }
  }

  std::vector<Slot> slots_;
  std::size_t size_ = 0;
};

}  // namespace vernier::engine
