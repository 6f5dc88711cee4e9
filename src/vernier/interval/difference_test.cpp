#include "vernier/interval/difference.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "support/integer_laws.hpp"
#include "vernier/interval/levels.hpp"

namespace vernier::interval {
namespace {

using testing::law_at;
using Sums = std::vector<std::int64_t>;

constexpr std::int64_t many = 1'000'000'000;

template <class Law>
class DifferenceOf : public ::testing::Test {};
using Laws = ::testing::Types<noise::Geometric, noise::DiscreteGaussian>;
TYPED_TEST_SUITE(DifferenceOf, Laws);

// P[abs(X - X') > a] by the double sum.
template <class Law>
double outside(const Law& law, std::int64_t a) {
  const std::int64_t reach = *law.two_sided_quantile(*Probability::of(1e-10));
  std::vector<double> masses;
  for (std::int64_t x = -reach; x <= reach; ++x) masses.push_back(law.mass(x).upper);
  double sum = 0;
  for (std::int64_t x = 0; x <= 2 * reach; ++x) {
    for (std::int64_t y = 0; y <= 2 * reach; ++y) {
      if (std::abs(x - y) > a) sum += masses[static_cast<std::size_t>(x)] * masses[static_cast<std::size_t>(y)];
    }
  }
  return sum;
}

TYPED_TEST(DifferenceOf, CountsReachesAsFarAsTwoNoisesDo) {
  for (const double scale : {0.3, 1.0, 8.0}) {
    for (const double alpha : {0.001, 0.05, 0.5}) {
      const TypeParam law = law_at<TypeParam>(scale);
      const std::int64_t a = difference_accuracy(law, *Alpha::of(alpha));
      EXPECT_LE(outside(law, a), alpha + 1e-9) << scale << " " << alpha;
      if (a > 0) {
        EXPECT_GT(outside(law, a - 1), alpha * (1 - 1e-3)) << scale << " " << alpha;
      }
    }
  }
}

TYPED_TEST(DifferenceOf, CountsIsRefutedByExactSumsWhereTheNoiseIsATenthLarger) {
  const std::int64_t a = difference_accuracy(law_at<TypeParam>(8), *Alpha::of(0.05));
  EXPECT_GT(outside(law_at<TypeParam>(8.8), a), 0.05 * 1.2);
}

TYPED_TEST(DifferenceOf, CountsIsShorterThanTheSumOfBothAccuraciesAndLongerThanOne) {
  for (const double scale : {5.0, 500.0, 1e6}) {
    const TypeParam law = law_at<TypeParam>(scale);
    const Alpha alpha = *Alpha::of(0.05);
    const std::int64_t alone = *additive_accuracy(law, alpha), both = difference_accuracy(law, alpha);
    EXPECT_GT(both, static_cast<double>(alone) * 1.3) << scale;
    EXPECT_LT(both, static_cast<double>(alone) * 1.45 + 3) << scale;
  }
}

TEST(Difference, OfCountsIsMovedIntoWhatIsPossible) {
  const PossibleRange possible = *PossibleRange::of(-100, 100);
  const AdditiveInterval found = difference(90, 20, 50, possible);
  EXPECT_EQ(found.value, 70);
  EXPECT_EQ(found.low, 20);
  EXPECT_EQ(found.high, 100);
  EXPECT_EQ(difference(-500, 20, 50, possible).value, -100);
  EXPECT_EQ(difference(-500, 20, 50, possible).high, -50);
}

TEST(Difference, OfCountsDoesNotOverflow) {
  constexpr std::int64_t last = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(difference(last, -last, last, *PossibleRange::of(-many, many)).value, many);
  EXPECT_EQ(difference(-last, last, last, *PossibleRange::of(-many, many)).low, -many);
}

TEST(Difference, OfTwoFiguresIsThatOfTheirBoxes) {
  const Figure north{10, {8, 11}, true, false}, south{4, {3, 6}, true, false};
  const DifferenceInterval found = difference_of(north, south, Status::proven, Covers::bounded_value);
  EXPECT_EQ(found.interval.low, 2);
  EXPECT_EQ(found.interval.high, 8);
  EXPECT_EQ(found.value, 6);
  EXPECT_EQ(found.accuracy, 4);
  EXPECT_TRUE(found.informative);
  EXPECT_FALSE(found.may_be_empty);
}

TEST(Difference, TellsOfGroupsThatTellNothing) {
  const Figure nothing{5, {0, 10}, false, true}, something{4, {3, 6}, true, false};
  EXPECT_TRUE(difference_of(nothing, something, Status::proven, Covers::population).informative);
  EXPECT_TRUE(difference_of(nothing, something, Status::proven, Covers::population).may_be_empty);
  EXPECT_FALSE(difference_of(nothing, nothing, Status::tested, Covers::population).informative);
  EXPECT_EQ(difference_of(nothing, nothing, Status::tested, Covers::population).status, Status::tested);
}

// What is told at a higher level but not at a lower one is taken in there too: the page needs it.
TEST(Difference, NestsWhatIsTold) {
  const Figure first{5, {4, 6}, true, false}, first_astray{3, {3, 3}, true, false};
  const Figure second{0, {-1, 1}, true, false}, second_astray{5, {5, 5}, true, false};
  const DifferenceInterval found =
      difference_within({{first, second_astray}, {first_astray, second}}, Status::proven, Covers::bounded_value);
  EXPECT_EQ(found.interval.low, -2);
  EXPECT_EQ(found.interval.high, 4);
}

noise::ValueRange unit_bounds() { return *noise::ValueRange::of(*Real::of(0), *Real::of(1)); }

Sums rows_at(const MeanNodes& nodes, std::int64_t n, std::int64_t k) {
  Sums sums;
  for (std::size_t i = 0; i < nodes.count(); ++i) sums.push_back(n * nodes.row(k)[i]);
  return sums;
}

TYPED_TEST(DifferenceOf, MeansIsAntisymmetric) {
  const MeanNodes nodes = *MeanNodes::of(Basis::two, 100);
  const auto inference = *mean_difference(law_at<TypeParam>(100), nodes, unit_bounds(), *Alpha::of(0.05));
  const Sums north = rows_at(nodes, 200, 60), south = rows_at(nodes, 50, 30);
  const DifferenceInterval there = *inference.from(north, south), back = *inference.from(south, north);
  EXPECT_NEAR(there.interval.low, -back.interval.high, 1e-4);
  EXPECT_NEAR(there.interval.high, -back.interval.low, 1e-4);
  EXPECT_NEAR(there.value, 0.3, 0.02);
  EXPECT_EQ(there.status, Status::proven);
  EXPECT_EQ(there.covers, Covers::bounded_value);
}

// The ends of a difference, for groups of equal size and of very different ones, against one box: shorter where it
// matters, never much longer.
TYPED_TEST(DifferenceOf, MeansIsAsSharpAsThePageSays) {
  const MeanNodes nodes = *MeanNodes::of(Basis::two, 100);
  const TypeParam law = law_at<TypeParam>(100);
  const auto inference = *mean_difference(law, nodes, unit_bounds(), *Alpha::of(0.05));
  const auto each = MeanInference<TypeParam>::of(law, nodes, unit_bounds(), *each_of(*Alpha::of(0.05), 2, 1));
  const auto ratio = [&](std::int64_t n) {
    const Sums north = rows_at(nodes, 10'000, 50), south = rows_at(nodes, n, 50);
    const auto box = difference_of(figure_of(*each.from(north)), figure_of(*each.from(south)), Status::proven,
                                   Covers::bounded_value);
    const Interval found = inference.from(north, south)->interval;
    return (found.high - found.low) / (box.interval.high - box.interval.low);
  };
  EXPECT_LT(ratio(10'000), 0.82);
  EXPECT_LT(ratio(1'000'000), 1.15);
}

TYPED_TEST(DifferenceOf, VariancesIsMadeInTheSameWay) {
  const MeanNodes nodes = *MeanNodes::moments(100, 100);
  const TypeParam law = law_at<TypeParam>(static_cast<double>(nodes.weight()));
  const auto inference =
      *spread_difference(law, nodes, *Real::of(10), *Alpha::of(0.05), SpreadForm{Divisor::rows, false});
  Sums wide = rows_at(nodes, 5000, 0), half = rows_at(nodes, 5000, 100);
  for (std::size_t i = 0; i < 3; ++i) wide[i] += half[i];
  const DifferenceInterval found = *inference.from(wide, rows_at(nodes, 10'000, 40));
  EXPECT_TRUE(found.interval.contains(25));
  EXPECT_LT(found.interval.high - found.interval.low, 0.4);
  EXPECT_GT(found.interval.low, 24.5);
}

TYPED_TEST(DifferenceOf, MeansRefusesAWrongNumberOfSums) {
  const MeanNodes nodes = *MeanNodes::of(Basis::two, 100);
  const auto inference = *mean_difference(law_at<TypeParam>(1), nodes, unit_bounds(), *Alpha::of(0.05));
  EXPECT_FALSE(inference.from(Sums{1, 2}, Sums{1, 2, 3}));
  EXPECT_FALSE(inference.from(Sums{1}, Sums{1, 2}));
  EXPECT_FALSE(mean_difference(law_at<TypeParam>(1), nodes, unit_bounds(), *Alpha::of(1e-300)));
}

}  // namespace
}  // namespace vernier::interval
