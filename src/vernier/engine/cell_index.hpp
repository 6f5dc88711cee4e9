#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "vernier/engine/key_index.hpp"
#include "vernier/query/value.hpp"

// From the keys of a row to the number of its group: each key has a place among its declared values, and the places
// together lead to the cell.
namespace vernier::engine {

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
