#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "vernier/engine/aggregate_states.hpp"

namespace vernier::engine {
namespace {

struct Row {
  std::uint64_t priority;
  std::int64_t cell;
  std::int64_t value;
};

struct State {
  explicit State(const BottomMShape& given) : shape(given), words(static_cast<std::size_t>(given.state_size())) {
    BottomMState::init(words.data());
  }
  BottomMState view() { return {words.data(), shape}; }
  void add(const Row& row) {
    std::int64_t* const entry = view().entry_of(row.priority, row.cell);
    if (entry == nullptr || !view().has_room(entry, 1)) return;
    ++entry[2];
    BottomMState::add(entry + 3, 1, row.value);
  }

  BottomMShape shape;
  std::vector<std::int64_t> words;
};

using Entry = std::vector<std::int64_t>;

std::set<Entry> entries(State& state) {
  std::set<Entry> all;
  for (std::int64_t i = 0; i < state.view().size(); ++i) {
    const std::int64_t* const entry = state.view().entry(i);
    all.insert(Entry(entry, entry + state.shape.entry_size()));
  }
  return all;
}

// By sorting all groups.
std::set<Entry> expected(const std::vector<Row>& rows, std::size_t m) {
  std::map<std::pair<std::uint64_t, std::int64_t>, Entry> groups;
  for (const Row& row : rows) {
    Entry& entry =
        groups.try_emplace({row.priority, row.cell}, Entry{static_cast<std::int64_t>(row.priority), row.cell, 0, 0, 0})
            .first->second;
    ++entry[2];
    ++entry[3];
    entry[4] += row.value;
  }
  std::set<Entry> least;
  for (const auto& [_, entry] : groups) {
    if (least.size() < m) least.insert(entry);
  }
  return least;
}

// Priorities are drawn from few, so that they are often equal, and have their highest bit set half of the time.
std::vector<Row> random_rows(std::mt19937_64& random, std::size_t cells, std::size_t count) {
  std::vector<std::uint64_t> priorities;
  for (std::size_t i = 0; i < cells; ++i) priorities.push_back((random() % 4) << 62);
  std::vector<Row> rows;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t cell = random() % cells;
    rows.push_back(
        {priorities[cell], static_cast<std::int64_t>(cell) - 3, static_cast<std::int64_t>(random() % 100) - 50});
  }
  return rows;
}

TEST(BottomMState, KeepsTheLeastGroupsWhateverTheOrderAndTheParts) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 2000; ++i) {
    const std::size_t m = 1 + random() % 6;
    const std::vector<Row> rows = random_rows(random, 1 + random() % 12, random() % 40);
    State first(BottomMShape{static_cast<std::int64_t>(m), 1, 1000});
    State second = first;
    for (const Row& row : rows) (random() % 2 == 0 ? first : second).add(row);
    first.view().merge(second.view());
    EXPECT_EQ(entries(first), expected(rows, m));
  }
}

// However many rows there are: the sum stays that of as many values as were counted.
TEST(BottomMState, NeverOverflows) {
  State state(BottomMShape{1, 1, 1000});
  for (int i = 0; i < 10; ++i) state.add({1, 1, INT64_MAX / 4});
  const Entry entry = *entries(state).begin();
  EXPECT_EQ(entry[2], 10);
  EXPECT_EQ(entry[4], entry[3] * (INT64_MAX / 4));
  State other = state;
  state.view().merge(other.view());
  EXPECT_EQ(*entries(state).begin(), (Entry{1, 1, 20, entry[3], entry[4]}));
}

// Rows beyond the most that count are left out whole: every sum of an entry is over the same rows.
TEST(BottomMState, LeavesRowsOutWhole) {
  State state(BottomMShape{1, 1, 7});
  for (int i = 0; i < 5; ++i) state.add({1, 1, 10});
  State part = state;
  state.view().merge(part.view());
  EXPECT_EQ(*entries(state).begin(), (Entry{1, 1, 5, 5, 50}));
  for (int i = 0; i < 5; ++i) state.add({1, 1, 10});
  EXPECT_EQ(*entries(state).begin(), (Entry{1, 1, 7, 7, 70}));
}

}  // namespace
}  // namespace vernier::engine
