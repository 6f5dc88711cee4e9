#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "vernier/engine/cell_index.hpp"

// The groups of least priority of one unit, with what the unit has in each. render.md says why one pass is exact.
namespace vernier::engine {

struct BottomMShape {
  std::int64_t groups;     // kept at most
  std::int64_t arguments;  // of a row
  std::int64_t most_rows;  // of a unit in a group that count at all

  // In words of 64 bits, as is everything below.
  std::int64_t entry_size() const { return 3 + 2 * arguments; }
  std::int64_t state_size() const { return 1 + groups * entry_size(); }
};

// A way to look at the memory of a state: one word that tells how many entries there are, and which of them is last in
// order (in its upper half), then the entries, each with priority, cell, rows, and of each argument the number of
// values that are not NULL and their sum.
class BottomMState {
 public:
  BottomMState(std::int64_t* words, const BottomMShape& shape) : words_(words), shape_(shape) {}

  static void init(std::int64_t* words) { words[0] = 0; }

  std::int64_t size() const { return words_[0] & 0xFFFFFFFF; }
  const std::int64_t* entry(std::int64_t i) const { return words_ + 1 + i * shape_.entry_size(); }

  // The entry of this group, new where it had none; none where the group comes behind all that may be kept. A group
  // that was put out never returns, since the last one kept only moves forward.
  std::int64_t* entry_of(std::uint64_t priority, std::int64_t cell) {
    const bool full = size() == shape_.groups;
    if (full && is_before(at(last()), priority, cell)) return nullptr;
    for (std::int64_t i = 0; i < size(); ++i) {
      if (at(i)[1] == cell) return at(i);
    }
    return full ? replace_last(priority, cell) : append(priority, cell);
  }

  // Whether so many rows more count in an entry: then none of its sums can leave 64 bits, and all are of the same rows.
  bool has_room(const std::int64_t* entry, std::int64_t rows) const { return entry[2] <= shape_.most_rows - rows; }

  // One more value or part, unless 64 bits cannot hold it: the sum is always that of `count` values.
  static void add(std::int64_t* count_and_sum, std::int64_t count, std::int64_t sum) {
    std::int64_t counted = 0;
    std::int64_t added = 0;
    if (__builtin_add_overflow(count_and_sum[0], count, &counted)) return;
    if (__builtin_add_overflow(count_and_sum[1], sum, &added)) return;
    count_and_sum[0] = counted;
    count_and_sum[1] = added;
  }

  void merge(const BottomMState& other) {
    for (std::int64_t i = 0; i < other.size(); ++i) {
      const std::int64_t* const from = other.entry(i);
      std::int64_t* const to = entry_of(static_cast<std::uint64_t>(from[0]), from[1]);
      if (to == nullptr || !has_room(to, from[2])) continue;
      to[2] += from[2];
      for (std::int64_t k = 3; k < shape_.entry_size(); k += 2) add(to + k, from[k], from[k + 1]);
    }
  }

 private:
  std::int64_t* at(std::int64_t i) { return words_ + 1 + i * shape_.entry_size(); }
  std::int64_t last() const { return words_[0] >> 32; }
  void set(std::int64_t size, std::int64_t last) { words_[0] = size | (last << 32); }

  static bool is_before(const std::int64_t* entry, std::uint64_t priority, std::int64_t cell) {
    return std::pair(static_cast<std::uint64_t>(entry[0]), entry[1]) < std::pair(priority, cell);
  }

  std::int64_t* begin(std::int64_t i, std::uint64_t priority, std::int64_t cell) {
    std::int64_t* const entry = at(i);
    std::memset(entry, 0, static_cast<std::size_t>(shape_.entry_size()) * sizeof(std::int64_t));
    entry[0] = static_cast<std::int64_t>(priority);
    entry[1] = cell;
    return entry;
  }

  std::int64_t* append(std::uint64_t priority, std::int64_t cell) {
    const std::int64_t i = size();
    const bool is_last = i > 0 && is_before(at(last()), priority, cell);
    set(i + 1, is_last ? i : last());
    return begin(i, priority, cell);
  }

  std::int64_t* replace_last(std::uint64_t priority, std::int64_t cell) {
    std::int64_t* const entry = begin(last(), priority, cell);
    for (std::int64_t i = 0; i < size(); ++i) {
      if (is_before(at(last()), static_cast<std::uint64_t>(at(i)[0]), at(i)[1])) set(size(), i);
    }
    return entry;
  }

  std::int64_t* words_;
  const BottomMShape& shape_;
};

// The so many least (priority, value) of all that were added, whatever their order: a heap with the greatest in front.
class BottomValuesState {
 public:
  using Entry = std::pair<std::uint64_t, std::int64_t>;

  void add(Entry entry, std::size_t most) {
    if (entries_.size() == most) {
      if (!(entry < entries_.front())) return;
      std::pop_heap(entries_.begin(), entries_.end());
      entries_.back() = entry;
    } else {
      entries_.push_back(entry);
    }
    std::push_heap(entries_.begin(), entries_.end());
  }

  void merge(const BottomValuesState& other, std::size_t most) {
    for (const Entry& entry : other.entries_) add(entry, most);
  }

  const std::vector<Entry>& entries() const { return entries_; }

 private:
  std::vector<Entry> entries_;
};

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
