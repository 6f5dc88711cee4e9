#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "vernier/query/value.hpp"

// The places of the declared values of one key, found in a few nanoseconds: a table with open addresses.
namespace vernier::engine {

inline constexpr std::int32_t not_declared = -1;

namespace detail {

inline std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a ^ 0x9E3779B97F4A7C15U) * (b ^ 0xE7037ED1A0B428DBU);
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

inline std::uint64_t word_at(const char* text, std::size_t bytes) {
  std::uint64_t word = 0;
  std::memcpy(&word, text, bytes);
  return word;
}

inline std::uint64_t hash_of(std::int64_t value) { return mixed(static_cast<std::uint64_t>(value), 0); }

inline std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = text.size();
  for (; text.size() > 8; text.remove_prefix(8)) hash = mixed(hash, word_at(text.data(), 8));
  return mixed(hash, word_at(text.data(), text.size()));
}

}  // namespace detail

// Stored is std::int64_t or std::string; equal values have the place of the first.
template <class Stored>
class KeyIndex {
 public:
  explicit KeyIndex(const std::vector<Stored>& values)
      : slots_(std::bit_ceil(2 * values.size() + 1)), mask_(slots_.size() - 1) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      Slot& slot = slots_[slot_of(values[i])];
      if (slot.place == not_declared) slot = {values[i], static_cast<std::int32_t>(i)};
    }
  }

  // not_declared where the value is none of them.
  template <class Value>
  std::int32_t place_of(Value value) const {
    return slots_[slot_of(value)].place;
  }

 private:
  struct Slot {
    Stored value{};
    std::int32_t place = not_declared;
  };

  // That of the value, or the free one where it would go.
  template <class Value>
  std::size_t slot_of(const Value& value) const {
    std::size_t at = detail::hash_of(value) & mask_;
    while (slots_[at].place != not_declared && slots_[at].value != value) at = (at + 1) & mask_;
    return at;
  }

  std::vector<Slot> slots_;
  std::size_t mask_;
};

// From the keys of a row to the number of its group: each key has a place among its declared values, and the places
// together lead to the cell.
class CellIndex {
 public:
  using Places = std::variant<KeyIndex<std::int64_t>, KeyIndex<std::string>>;

  explicit CellIndex(const std::vector<std::vector<query::Value>>& cells);

  std::size_t keys() const { return places_.size(); }
  const Places& places(std::size_t key) const { return places_[key]; }
  std::int64_t stride(std::size_t key) const { return strides_[key]; }

  // The number of the group whose keys have these places, by the sum of place * stride; -1 where there is none.
  std::int64_t cell_at(std::int64_t sum) const { return cells_[static_cast<std::size_t>(sum)]; }

 private:
  std::vector<Places> places_;
  std::vector<std::int64_t> strides_;
  std::vector<std::int64_t> cells_;
};

// A value as 64 bits by which equal ones are known; texts have none. -0 and 0 are one.
std::int64_t word_of(const query::Value& value);
std::int64_t word_of_real(double value);

}  // namespace vernier::engine
