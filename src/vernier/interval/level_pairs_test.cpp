#include <cmath>

#include <gtest/gtest.h>

#include "support/integer_laws.hpp"
#include "vernier/interval/levels.hpp"
#include "vernier/numeric/normal.hpp"

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

// ---- where each end counts apart

// The chance of a cell to be missed at one end, by the level at which it is told.
double end_of(const EndLevels& levels, std::size_t place, double part) { return levels.levels()[place].value() * part; }

// The part of the unit square that no box covers: of each strip of the first chance, by the best box that has it.
double uncovered(const EndLevels& levels, const EndLevels::Boxes& boxes, double part) {
  double area = 0;
  const std::size_t count = levels.levels().size();
  for (std::size_t i = 0; i <= count; ++i) {  // strips between the chances of neighbouring levels
    const double from = i == count ? 0 : end_of(levels, i, part), to = i == 0 ? 1 : end_of(levels, i - 1, part);
    double missed = 1;
    for (const EndLevels::Box& box : boxes) {
      if (i < count && box.first >= i) missed = std::min(missed, end_of(levels, box.second, part));
    }
    area += (to - from) * missed;
  }
  return area;
}

// The greatest first distance and `ratio` times the second, in normal deviations, over what a normal law of both needs.
double over_need(const EndLevels& levels, const EndLevels::Boxes& boxes, double part, double ratio, double alpha) {
  const auto deviations = [&](std::size_t place) {
    return numeric::normal_upper_point(std::log(end_of(levels, place, part)));
  };
  double widest = 0;
  for (const EndLevels::Box& box : boxes) {
    widest = std::max(widest, deviations(box.first) + ratio * deviations(box.second));
  }
  return widest / (std::hypot(1, ratio) * numeric::normal_upper_point(std::log(alpha / 2)));
}

TEST(EndLevels, MissToEitherSideWithHalfOfAlphaAndHardlyLess) {
  for (const double part : {0.5, 0.55}) {
    for (const double alpha : {1e-30, 1e-9, 0.001, 0.05, 0.3, 0.9}) {
      const EndLevels levels = *EndLevels::of(*Alpha::of(alpha), part);
      for (const EndLevels::Boxes& boxes :
           {levels.along_circle(), levels.along_line(1), levels.along_line(0.2), levels.along_line(3)}) {
        EXPECT_LE(levels.chance_to_miss(boxes), alpha / 2) << alpha;
        EXPECT_LE(uncovered(levels, boxes, part), alpha / 2 * (1 + 1e-12)) << alpha;
        EXPECT_GE(uncovered(levels, boxes, part), alpha > 1e-10 ? alpha / 2 * 0.6 : 0) << alpha;
      }
    }
  }
}

TEST(EndLevels, AreAsShortAsThePageSays) {
  const double alpha = 0.05;
  const EndLevels levels = *EndLevels::of(*Alpha::of(alpha), 0.5);
  for (const double ratio : {0.1, 0.25, 0.5, 0.75, 1.0, 2.0, 5.0}) {
    EXPECT_LT(over_need(levels, levels.along_line(ratio), 0.5, ratio, alpha), 1.10) << ratio;
    EXPECT_LT(over_need(levels, levels.along_circle(), 0.5, ratio, alpha), 1.25) << ratio;
  }
}

TEST(EndLevels, RefuseAnAlphaThatIsTooSmall) { EXPECT_FALSE(EndLevels::of(*Alpha::of(1e-100), 0.5)); }

}  // namespace
}  // namespace vernier::interval
