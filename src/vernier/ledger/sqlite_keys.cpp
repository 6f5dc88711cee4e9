#include "vernier/ledger/sqlite_keys.hpp"

#include <algorithm>

namespace vernier::ledger::sqlite {
namespace {

constexpr std::size_t fewest_slots = 64;

// So that keys of different kinds fall apart although their texts are equal; never 0.
std::uint64_t key_of(std::uint64_t hash, std::uint64_t kind) {
  return std::max<std::uint64_t>(1, hash ^ (kind + 1) * 0x9e3779b97f4a7c15);
}

}  // namespace

std::uint64_t Keys::release_key(Kind kind, std::string_view release) const {
  return release.empty() ? 0 : key_of(hash_.of(release), static_cast<std::uint64_t>(kind));
}

std::uint64_t Keys::request_key(std::string_view request) const {
  return request.empty() ? 0 : key_of(hash_.of(request), 100);
}

Keys::Pair Keys::pair_of(const Names& names) const {
  return {release_key(names.kind, names.release), names.kind == Kind::reserve ? request_key(names.request) : 0};
}

void Keys::expect(const Pair& pair) const {
  if (slots_.empty()) return;
  for (const std::uint64_t key : {pair.release, pair.request})
    __builtin_prefetch(&slots_[key & (slots_.size() - 1)], 1);
}

void Keys::add(std::int64_t index, const Pair& pair) {
  make_room();
  for (const std::uint64_t key : {pair.release, pair.request}) {
    if (key == 0) continue;
    put(slots_, {key, index});
    ++count_;
  }
  last_ = index;
}

void Keys::forget() noexcept {
  slots_ = {};
  count_ = 0;
  last_ = 0;
}

void Keys::put(std::vector<Slot>& slots, const Slot& slot) {
  const std::size_t mask = slots.size() - 1;
  std::size_t at = slot.key & mask;
  while (slots[at].index != 0) at = (at + 1) & mask;
  slots[at] = slot;
}

// For two more.
void Keys::make_room() {
  if (4 * (count_ + 2) <= 3 * slots_.size()) return;
  std::vector<Slot> larger(std::max(fewest_slots, 2 * slots_.size()));
  for (const Slot& slot : slots_) {
    if (slot.index != 0) put(larger, slot);
  }
  slots_.swap(larger);
}

std::int64_t Keys::Search::next() {
  if (keys_.slots_.empty() || key_ == 0) return 0;
  while (true) {
    const Slot& slot = keys_.slots_[at_++ & (keys_.slots_.size() - 1)];
    if (slot.index == 0 || slot.key == key_) return slot.index;
  }
}

}  // namespace vernier::ledger::sqlite
