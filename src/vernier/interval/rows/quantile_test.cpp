#include "vernier/interval/rows/quantile.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace vernier::interval {
namespace {

using noise::RankGrid;
using noise::RankStatistic;
using numeric::Rational;

Rational decimal(std::string_view text) { return *Rational::of_decimal(text); }

noise::Exponential law_of(double scale) { return *noise::Exponential::of(*LaplaceScale::of(scale)); }

ValueQuantileInference median_on(std::int64_t steps, double scale, double alpha = 0.05) {
  const RankGrid grid = *RankGrid::of(steps);
  return *ValueQuantileInference::of(*RankStatistic::quantile(1, 2, grid.points()), grid, law_of(scale),
                                     *Alpha::of(alpha));
}

TEST(Quantile, KnowsItsAccuracyInRanksBeforeAnyData) {
  // One unit moves a median by half a rank, which is 1 in units of 1/2: at epsilon 1 the scale is 1.
  const RankStatistic income = *RankStatistic::quantile(1, 2, 200'001);
  const std::int64_t reach = *noise::reach_of(law_of(1), income, *Alpha::of(0.05));
  EXPECT_EQ(reach, std::ceil(2 * std::log((3 * 200'001.0 * 99 - 1) * 0.95 / 0.05)));
  EXPECT_EQ(reach, 42);
  EXPECT_EQ(noise::ranks_of(reach, income), decimal("20.5"));
}

TEST(Quantile, HasTheValueThatWasChosen) {
  const QuantileInterval found = *median_on(100, 1).from({20, 28, 30});
  EXPECT_EQ(found.value, 28);
  EXPECT_EQ(found.accuracy, 8);
  EXPECT_EQ(found.low, 20);
  EXPECT_EQ(found.high, 30);
  EXPECT_TRUE(found.informative);
  EXPECT_FALSE(found.may_be_empty);
}

TEST(Quantile, SaysWhenItTellsNothing) {
  const QuantileInterval found = *median_on(100, 1).from({0, 40, 100});
  EXPECT_FALSE(found.informative);
  EXPECT_TRUE(found.may_be_empty);
  EXPECT_EQ(found.low, 0);
  EXPECT_EQ(found.high, 100);
}

TEST(Quantile, MovesItsEndsOutwardOnACoarserGrid) {
  const ValueQuantileInference inference = median_on((std::int64_t{1} << 22) - 2, 1);  // of 4 values, the last of 3
  const std::int64_t last = inference.grid().points() - 1;
  EXPECT_EQ(inference.grid().halvings(), 2);
  const QuantileInterval found = *inference.from({5, 6, 7});
  EXPECT_EQ(found.low, 20);
  EXPECT_EQ(found.value, 25);  // 24 to 27 are one point
  EXPECT_EQ(found.high, 31);
  EXPECT_EQ(found.accuracy, 6);
  EXPECT_EQ(inference.from({5, 6, last})->high, (std::int64_t{1} << 22) - 2);
}

TEST(Quantile, RefusesPointsThatWereNotDrawn) {
  const ValueQuantileInference median = median_on(100, 1);
  EXPECT_FALSE(median.from({-1, 5, 7}));
  EXPECT_FALSE(median.from({0, 5, 101}));
  EXPECT_FALSE(median.from({6, 5, 7}));
  EXPECT_FALSE(median.from({3, 8, 7}));
  const RankGrid grid = *RankGrid::of(100);
  const auto alpha = *Alpha::of(0.05);
  EXPECT_FALSE(ValueQuantileInference::of(*RankStatistic::least(101), grid, law_of(1), alpha));
  EXPECT_FALSE(ValueQuantileInference::of(*RankStatistic::quantile(1, 2, 100), grid, law_of(1), alpha));
}

TEST(Quantile, FromEndsAloneIsTheMiddleOfThem) {
  const RankGrid grid = *RankGrid::of(100);
  const RankStatistic median = *RankStatistic::quantile(1, 2, 101);
  for (const std::array<std::int64_t, 2> ends : {std::array<std::int64_t, 2>{20, 30}, {30, 20}}) {
    const QuantileInterval found = *interval_between(ends, median, grid);
    EXPECT_EQ(found.value, 25);
    EXPECT_EQ(found.accuracy, 5);
    EXPECT_EQ(found.low, 20);
    EXPECT_EQ(found.high, 30);
  }
  EXPECT_EQ(interval_between({20, 31}, median, grid)->value, 25);
  EXPECT_EQ(interval_between({20, 31}, median, grid)->accuracy, 6);
  EXPECT_TRUE(interval_between({0, 100}, median, grid)->may_be_empty);
}

TEST(Quantile, OfTheLeastAndTheGreatestValueIsTheEndThatWasDrawn) {
  const RankGrid grid = *RankGrid::of(120);  // ages, of which few are above 90
  const QuantileInterval greatest = *interval_between({93, 120}, *RankStatistic::greatest(121), grid);
  EXPECT_EQ(greatest.value, 93);
  EXPECT_EQ(greatest.accuracy, 27);
  EXPECT_EQ(greatest.low, 93);
  EXPECT_EQ(greatest.high, 120);
  const QuantileInterval least = *interval_between({0, 17}, *RankStatistic::least(121), grid);
  EXPECT_EQ(least.value, 17);
  EXPECT_EQ(least.accuracy, 17);
  EXPECT_EQ(least.low, 0);
}

TEST(Quantile, RefusesEndsThatWereNotDrawn) {
  const RankGrid grid = *RankGrid::of(100);
  const noise::Exponential law = law_of(1);
  const auto alpha = *Alpha::of(0.05);
  const QuantileInference least = *QuantileInference::of(*RankStatistic::least(101), grid, law, alpha);
  const QuantileInference greatest = *QuantileInference::of(*RankStatistic::greatest(101), grid, law, alpha);
  EXPECT_TRUE(least.from({0, 7}));
  EXPECT_FALSE(least.from({1, 7}));
  EXPECT_FALSE(least.from({0, 101}));
  EXPECT_TRUE(greatest.from({7, 100}));
  EXPECT_FALSE(greatest.from({7, 99}));
  EXPECT_FALSE(greatest.from({-1, 100}));
  EXPECT_FALSE(QuantileInference::of(*RankStatistic::least(100), grid, law, alpha));
  EXPECT_FALSE(QuantileInference::of(*RankStatistic::quantile(1, 2, 101), grid, law, alpha));
}

TEST(Quantile, HasTheLargestScaleForATargetInRanks) {
  const RankStatistic median = *RankStatistic::quantile(1, 2, 1001), ninth = *RankStatistic::quantile(9, 10, 1001);
  const Alpha alpha = *Alpha::of(0.05);
  for (const RankStatistic& statistic : {median, ninth, *RankStatistic::least(1001)}) {
    for (const char* ranks : {"1", "10", "12.5", "5000"}) {
      const double scale = noise::scale_for(noise::reach_for(decimal(ranks), statistic), statistic, alpha);
      const auto at = [&](double s) {
        return noise::ranks_of(*noise::reach_of(law_of(s), statistic, alpha), statistic);
      };
      EXPECT_LE(at(scale), decimal(ranks));
      EXPECT_GT(at(scale * 1.000001), decimal(ranks));
    }
  }
}

}  // namespace
}  // namespace vernier::interval
