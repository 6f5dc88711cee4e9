#include <map>
#include <random>

#include <gtest/gtest.h>

#include "vernier/engine/aggregate_states.hpp"

namespace vernier::engine {
namespace {

std::map<std::int64_t, std::int64_t> counts_of(const ValueCountsState& state) {
  std::map<std::int64_t, std::int64_t> all;
  state.for_each([&](const ValueCountsState::Slot& slot) { EXPECT_TRUE(all.emplace(slot.value, slot.count).second); });
  EXPECT_EQ(all.size(), state.size());
  return all;
}

TEST(ValueCountsState, CountsEveryValueHoweverTheRowsAreDivided) {
  std::mt19937_64 random(1);
  for (const std::int64_t range : {1, 5, 3000}) {
    std::map<std::int64_t, std::int64_t> expected;
    std::vector<ValueCountsState> parts(3);
    for (int i = 0; i < 5000; ++i) {
      const auto value = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(range)) - range / 2;
      ++expected[value];
      parts[random() % parts.size()].add(value, 1);
    }
    ValueCountsState all;
    for (const ValueCountsState& part : parts) all.merge(part);
    EXPECT_EQ(counts_of(all), expected);
  }
}

TEST(ValueCountsState, HoldsTheEndsOfSixtyFourBits) {
  ValueCountsState state;
  for (const std::int64_t value : {INT64_MIN, INT64_MAX, std::int64_t{0}, INT64_MIN}) state.add(value, 1);
  EXPECT_EQ(counts_of(state), (std::map<std::int64_t, std::int64_t>{{INT64_MIN, 2}, {0, 1}, {INT64_MAX, 1}}));
}

TEST(BottomValuesState, KeepsTheLeastHoweverTheRowsAreDivided) {
  std::mt19937_64 random(2);
  for (const std::size_t most : {1U, 2U, 7U, 500U}) {
    std::vector<BottomValuesState::Entry> expected;
    std::vector<BottomValuesState> parts(3);
    for (int i = 0; i < 300; ++i) {
      const BottomValuesState::Entry entry{random() % 100, static_cast<std::int64_t>(random() % 5)};
      expected.push_back(entry);
      parts[random() % parts.size()].add(entry, most);
    }
    BottomValuesState all;
    for (const BottomValuesState& part : parts) all.merge(part, most);
    std::sort(expected.begin(), expected.end());
    expected.resize(std::min(expected.size(), most));
    std::vector<BottomValuesState::Entry> found = all.entries();
    std::sort(found.begin(), found.end());
    EXPECT_EQ(found, expected) << most;
  }
}

}  // namespace
}  // namespace vernier::engine
