#include "vernier/noise/alias_table.hpp"

#include <array>
#include <cstdint>
#include <numeric>

#include <gtest/gtest.h>

#include "support/seeded_bits.hpp"

namespace vernier::noise {
namespace {

using SmallTable = AliasTable<4, 6>;  // 16 symbols, 1024 words: small enough to try every word
using Weights = std::array<std::uint64_t, SmallTable::columns>;

Weights words_per_symbol(const SmallTable& table) {
  Weights counts{};
  for (std::uint64_t word = 0; word < (1u << SmallTable::word_bits); ++word) ++counts[table.symbol(word)];
  return counts;
}

// Weights that sum to 2^10: cut points thrown at random, some of them on each other.
Weights random_weights(testing::SeededBits& bits) {
  Weights weights{};
  std::uint64_t left = 1u << SmallTable::word_bits;
  for (std::size_t i = 0; i + 1 < weights.size(); ++i) {
    weights[i] = bits.next().value() % (left / 4 + 1);
    left -= weights[i];
  }
  weights.back() = left;
  return weights;
}

TEST(AliasTable, GivesEverySymbolExactlyItsWeightInWords) {
  testing::SeededBits bits(1);
  for (int trial = 0; trial < 2000; ++trial) {
    const Weights weights = random_weights(bits);
    ASSERT_EQ(words_per_symbol(SmallTable(weights)), weights) << "trial " << trial;
  }
}

TEST(AliasTable, TakesWeightsThatFillColumnsExactlyOrNotAtAll) {
  Weights one_takes_all{};
  one_takes_all[7] = 1u << SmallTable::word_bits;
  EXPECT_EQ(words_per_symbol(SmallTable(one_takes_all)), one_takes_all);

  Weights even;
  even.fill(SmallTable::capacity);
  EXPECT_EQ(words_per_symbol(SmallTable(even)), even);

  Weights last_unit{};
  last_unit[0] = (1u << SmallTable::word_bits) - 1;
  last_unit[15] = 1;
  EXPECT_EQ(words_per_symbol(SmallTable(last_unit)), last_unit);
}

}  // namespace
}  // namespace vernier::noise
