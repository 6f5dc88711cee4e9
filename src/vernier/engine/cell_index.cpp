#include "vernier/engine/cell_index.hpp"

#include <algorithm>
#include <bit>
#include <set>

namespace vernier::engine {
namespace {

using query::Value;

// The values that a key has in the cells.
std::vector<Value> values_of(const std::vector<std::vector<Value>>& cells, std::size_t key) {
  std::set<Value> values;
  for (const std::vector<Value>& cell : cells) values.insert(cell[key]);
  return {values.begin(), values.end()};
}

CellIndex::Places places_of(const std::vector<Value>& values) {
  if (std::holds_alternative<std::string>(values.front())) {
    std::vector<std::string> texts;
    texts.reserve(values.size());
    for (const Value& value : values) texts.push_back(std::get<std::string>(value));
    return KeyIndex(texts);
  }
  std::vector<std::int64_t> words;
  words.reserve(values.size());
  for (const Value& value : values) words.push_back(word_of(value));
  return KeyIndex(words);
}

std::int64_t place_in(const std::vector<Value>& sorted, const Value& value) {
  return std::lower_bound(sorted.begin(), sorted.end(), value) - sorted.begin();
}

}  // namespace

std::int64_t word_of_real(double value) { return std::bit_cast<std::int64_t>(value + 0.0); }

std::int64_t word_of(const Value& value) {
  if (const auto* const real = std::get_if<double>(&value)) return word_of_real(*real);
  if (const auto* const day = std::get_if<query::Day>(&value)) return day->number;
  if (const auto* const truth = std::get_if<bool>(&value)) return *truth ? 1 : 0;
  return std::get<std::int64_t>(value);
}

CellIndex::CellIndex(const std::vector<std::vector<Value>>& cells) {
  std::vector<std::vector<Value>> values;
  std::int64_t size = 1;
  for (std::size_t key = 0; key < cells.front().size(); ++key) {
    values.push_back(values_of(cells, key));
    places_.push_back(places_of(values.back()));
    strides_.push_back(size);
    size *= static_cast<std::int64_t>(values.back().size());
  }
  cells_.assign(static_cast<std::size_t>(size), -1);
  for (std::size_t cell = 0; cell < cells.size(); ++cell) {
    std::int64_t sum = 0;
    for (std::size_t key = 0; key < values.size(); ++key)
      sum += strides_[key] * place_in(values[key], cells[cell][key]);
    std::int64_t& number = cells_[static_cast<std::size_t>(sum)];
    if (number < 0) number = static_cast<std::int64_t>(cell);  // a row belongs to one group only, whatever was declared
  }
}

}  // namespace vernier::engine
