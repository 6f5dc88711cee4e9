#include <cmath>

#include <gtest/gtest.h>

#include "support/integer_laws.hpp"
#include "vernier/interval/levels.hpp"

namespace vernier::interval {
namespace {

using testing::law_at;

template <class Law>
class LevelPairsOf : public ::testing::Test {
 protected:
  static LevelPairs at(double alpha) { return *level_pairs(law_at<Law>(1), *Alpha::of(alpha)); }
};
using Laws = ::testing::Types<noise::Geometric, noise::DiscreteGaussian>;
TYPED_TEST_SUITE(LevelPairsOf, Laws);

// The part of the unit square that no box (levels to 1) covers, by the corners of the staircase, another way: area
// below every step.
double uncovered(const LevelPairs& pairs) {
  double area = pairs.back().second.value(), above = 1;
  for (const LevelPair& pair : pairs) {
    area += pair.first.value() * (above - pair.second.value());
    above = pair.second.value();
  }
  return area;
}

TYPED_TEST(LevelPairsOf, MissWithProbabilityAlphaAndHardlyLess) {
  for (const double alpha : {1e-200, 1e-9, 0.001, 0.05, 0.3, 0.9, 0.999}) {
    const LevelPairs pairs = this->at(alpha);
    EXPECT_LE(uncovered(pairs), alpha * (1 + 1e-12)) << alpha;
    EXPECT_LE(chance_to_miss(pairs), alpha) << alpha;
    EXPECT_GE(uncovered(pairs), std::min(alpha, 0.9) * (1 - 1e-9)) << alpha;
  }
}

TYPED_TEST(LevelPairsOf, AscendAndAreTheirOwnMirrorImage) {
  const LevelPairs pairs = this->at(0.05);
  ASSERT_EQ(pairs.size(), 16u);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    EXPECT_EQ(pairs[i].first.value(), pairs[pairs.size() - 1 - i].second.value());
    EXPECT_GT(pairs[i].first.value(), i > 0 ? pairs[i - 1].first.value() : 0);
  }
}

TYPED_TEST(LevelPairsOf, RefuseWhatCannotBeDivided) {
  EXPECT_FALSE(level_pairs(law_at<TypeParam>(1), *Alpha::of(1e-300)));
  EXPECT_EQ(this->at(1e-290).size(), 1u);
}

TEST(LevelPairs, OfOneBoxAreTheExactProduct) {
  const LevelPairs pairs = *one_box(*Alpha::of(0.05));
  ASSERT_EQ(pairs.size(), 1u);
  EXPECT_EQ(pairs[0].first.value(), each_of(*Alpha::of(0.05), 2, 1)->value());
  EXPECT_NEAR(chance_to_miss(pairs), 0.05, 1e-15);
}

// The widest of the two distances added, in units of one noise, against that of one box: 16 of them are a fifth shorter
// where both cells are equally uncertain.
TEST(LevelPairs, AreShorterThanOneBoxForEqualCells) {
  const LevelPairs pairs = *level_pairs(law_at<noise::Geometric>(1), *Alpha::of(0.05));
  double widest = 0;
  for (const LevelPair& pair : pairs) {
    widest = std::max(widest, -std::log(pair.first.value()) - std::log(pair.second.value()));
  }
  EXPECT_LT(widest, 0.75 * -2 * std::log(one_box(*Alpha::of(0.05))->front().first.value()));
}

}  // namespace
}  // namespace vernier::interval
