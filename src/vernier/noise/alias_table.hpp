#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace vernier::noise {

// A table that turns one uniform word into a symbol of given integer weights, without any rounding (Walker 1977, Vose
// 1991, in integers). There are 2^ColumnBits symbols; their weights sum to exactly 2^(ColumnBits + FractionBits). Every
// column holds 2^FractionBits units, shared by the symbol of its own number and by one other, the alias.
//
//     word  = column | fraction            entry = threshold | alias
//     symbol = fraction < threshold ? column : alias
//
// So a symbol comes out for exactly as many words as its weight says.
template <int ColumnBits, int FractionBits>
class AliasTable {
 public:
  static constexpr int word_bits = ColumnBits + FractionBits;
  static constexpr std::size_t columns = std::size_t{1} << ColumnBits;
  static constexpr std::uint64_t capacity = std::uint64_t{1} << FractionBits;
  static_assert(ColumnBits <= 16 && word_bits <= 63, "an entry holds a threshold and an alias in 64 bits");

  explicit AliasTable(std::span<const std::uint64_t> weights);

  std::uint64_t symbol(std::uint64_t word) const {
    const std::uint64_t column = word >> FractionBits;
    const std::uint64_t fraction = word & (capacity - 1);
    const std::uint64_t entry = entries_[column];
    return fraction < (entry >> ColumnBits) ? column : entry & (columns - 1);
  }

  const std::uint64_t* entries() const { return entries_.data(); }

 private:
  alignas(64) std::array<std::uint64_t, columns> entries_;
};

template <int ColumnBits, int FractionBits>
AliasTable<ColumnBits, FractionBits>::AliasTable(std::span<const std::uint64_t> weights) {
  assert(weights.size() == columns);
  std::vector<std::uint64_t> left(weights.begin(), weights.end());
  std::vector<std::size_t> scant, ample;  // symbols with less than a column left to place, and the others
  for (std::size_t symbol = 0; symbol < columns; ++symbol) {
    (left[symbol] < capacity ? scant : ample).push_back(symbol);
  }
  while (!scant.empty()) {
    const std::size_t own = scant.back();
    const std::size_t alias = ample.back();  // exists: what is left always sums to a whole column per open symbol
    scant.pop_back();
    entries_[own] = (left[own] << ColumnBits) | alias;
    left[alias] -= capacity - left[own];
    if (left[alias] < capacity) {
      ample.pop_back();
      scant.push_back(alias);
    }
  }
  for (const std::size_t symbol : ample) {
    assert(left[symbol] == capacity);
    entries_[symbol] = ((capacity - 1) << ColumnBits) | symbol;  // the column is its own alias
  }
}

}  // namespace vernier::noise
