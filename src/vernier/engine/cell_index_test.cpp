#include "vernier/engine/cell_index.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace vernier::engine {
namespace {

using query::Day;
using query::Value;

std::int64_t place_of(const CellIndex& index, std::size_t key, const Value& value) {
  if (const auto* const text = std::get_if<std::string>(&value)) {
    return std::get<KeyIndex<std::string>>(index.places(key)).place_of(std::string_view(*text));
  }
  return std::get<KeyIndex<std::int64_t>>(index.places(key)).place_of(word_of(value));
}

// As the engine's function computes it.
std::int64_t cell_of(const CellIndex& index, const std::vector<Value>& keys) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const std::int64_t place = place_of(index, i, keys[i]);
    if (place == not_declared) return -1;
    sum += place * index.stride(i);
  }
  return index.cell_at(sum);
}

TEST(CellIndex, NumbersTextsOfEveryLength) {
  std::vector<std::vector<Value>> cells;
  for (int length = 0; length < 40; ++length) {
    cells.push_back({std::string(static_cast<std::size_t>(length), 'a')});
    cells.push_back({std::string(static_cast<std::size_t>(length), 'a') + "b"});
  }
  const CellIndex index(cells);
  for (std::size_t i = 0; i < cells.size(); ++i) EXPECT_EQ(cell_of(index, cells[i]), static_cast<std::int64_t>(i));
  EXPECT_EQ(cell_of(index, {std::string("ac")}), -1);
  EXPECT_EQ(cell_of(index, {std::string(40, 'a')}), -1);
  EXPECT_EQ(cell_of(index, {std::string("a\0", 2)}), -1);
}

TEST(CellIndex, NumbersSeveralKeysOfEveryType) {
  std::vector<std::vector<Value>> cells;
  for (const bool truth : {true, false}) {
    for (const std::int64_t whole : {std::numeric_limits<std::int64_t>::min(), std::int64_t{0}, std::int64_t{7}}) {
      for (const double real : {-0.0, 2.5, 1e300}) {
        for (const int day : {-1, 0, 20000}) cells.push_back({truth, whole, real, Day{day}});
      }
    }
  }
  const CellIndex index(cells);
  for (std::size_t i = 0; i < cells.size(); ++i) EXPECT_EQ(cell_of(index, cells[i]), static_cast<std::int64_t>(i));
  EXPECT_EQ(cell_of(index, {true, std::int64_t{0}, 0.0, Day{0}}), 10);  // 0 is -0
  EXPECT_EQ(cell_of(index, {true, std::int64_t{1}, 2.5, Day{0}}), -1);
  EXPECT_EQ(cell_of(index, {true, std::int64_t{7}, 2.4, Day{0}}), -1);
  EXPECT_EQ(cell_of(index, {true, std::int64_t{7}, 2.5, Day{1}}), -1);
}

TEST(CellIndex, KnowsTuplesThatAreNotDeclared) {
  const CellIndex index({{std::string("a"), std::int64_t{1}}, {std::string("b"), std::int64_t{2}}});
  EXPECT_EQ(cell_of(index, {std::string("b"), std::int64_t{2}}), 1);
  EXPECT_EQ(cell_of(index, {std::string("a"), std::int64_t{2}}), -1);
}

TEST(CellIndex, GivesEqualTuplesTheFirstNumber) {
  const CellIndex index({{std::int64_t{1}}, {std::int64_t{1}}, {std::int64_t{2}}});
  EXPECT_EQ(cell_of(index, {std::int64_t{1}}), 0);
  EXPECT_EQ(cell_of(index, {std::int64_t{2}}), 2);
}

}  // namespace
}  // namespace vernier::engine
