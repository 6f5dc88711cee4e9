#include "vernier/ledger/sqlite/keys.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "vernier/random/entropy.hpp"

namespace vernier::ledger {
namespace {

struct State {
  std::uint64_t v0, v1, v2, v3;

  void round() {
    v0 += v1;
    v2 += v3;
    v1 = std::rotl(v1, 13) ^ v0;
    v3 = std::rotl(v3, 16) ^ v2;
    v0 = std::rotl(v0, 32) + v3;
    v2 += v1;
    v1 = std::rotl(v1, 17) ^ v2;
    v3 = std::rotl(v3, 21) ^ v0;
    v2 = std::rotl(v2, 32);
  }
  void take(std::uint64_t word) {
    v3 ^= word;
    round();
    round();
    v0 ^= word;
  }
  std::uint64_t finish() {
    v2 ^= 0xff;
    for (int i = 0; i < 4; ++i) round();
    return v0 ^ v1 ^ v2 ^ v3;
  }
};

// The bytes as a little-endian number; 8 at most.
std::uint64_t word_of(std::string_view bytes) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    word |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << 8U * i;
  }
  return word;
}

std::uint64_t whole_word(const char* bytes) {
  if constexpr (std::endian::native != std::endian::little) return word_of({bytes, 8});
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

}  // namespace

Result<KeyedHash> KeyedHash::with_random_key() {
  std::array<std::uint64_t, 2> key{};
  return random::KernelEntropy::read(std::as_writable_bytes(std::span(key))).map([&] {
    return KeyedHash(key[0], key[1]);
  });
}

std::uint64_t KeyedHash::of(std::string_view text) const {
  State state{low_ ^ 0x736f6d6570736575, high_ ^ 0x646f72616e646f6d, low_ ^ 0x6c7967656e657261,
              high_ ^ 0x7465646279746573};
  const std::uint64_t length = std::uint64_t{text.size()} << 56U;  // its last byte counts
  for (; text.size() >= 8; text.remove_prefix(8)) state.take(whole_word(text.data()));
  state.take(word_of(text) | length);
  return state.finish();
}

}  // namespace vernier::ledger

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
