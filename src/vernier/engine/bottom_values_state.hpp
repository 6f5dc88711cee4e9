#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace vernier::engine {

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

}  // namespace vernier::engine
