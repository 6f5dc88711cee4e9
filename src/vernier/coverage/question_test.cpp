#include "vernier/coverage/question.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace vernier::coverage {
namespace {

PlacedPopulation people() {
  const auto grid = ValueGrid::of(*Real::of(-1), *Real::of(9), *Real::of(0.5)).value();
  return {Population::of({1, 2, 4, 100, -5, 4}).value(), grid};  // bounded: 1, 2, 4, 9, -1, 4
}

using query::Aggregate;

Truth truth(Aggregate aggregate, Whose whose, query::Fraction fraction = {}) {
  const PlacedPopulation all = people();
  return truth_of({.aggregate = aggregate, .fraction = fraction}, all, all.members(), whose).value();
}

TEST(Truth, IsTheStatisticOfTheBoundedRows) {
  EXPECT_DOUBLE_EQ(truth(Aggregate::average, Whose::sample).least, 19.0 / 6);
  EXPECT_DOUBLE_EQ(truth(Aggregate::sum, Whose::sample).least, 19);
  EXPECT_DOUBLE_EQ(truth(Aggregate::count_rows, Whose::sample).least, 6);
  const double squares = 1 + 4 + 16 + 81 + 1 + 16 - 19.0 * 19 / 6;
  EXPECT_DOUBLE_EQ(truth(Aggregate::variance_sample, Whose::sample).least, squares / 5);
  EXPECT_DOUBLE_EQ(truth(Aggregate::variance_sample, Whose::population).least, squares / 6);
  EXPECT_DOUBLE_EQ(truth(Aggregate::deviation_sample, Whose::sample).least, std::sqrt(squares / 5));
}

// -1, 1, 2, 4, 4, 9: where the fraction falls between two rows both are quantiles.
TEST(Truth, HasEveryQuantileInIt) {
  const auto stretch = [](query::Fraction fraction) {
    const Truth found = truth(Aggregate::quantile, Whose::sample, fraction);
    return std::pair(found.least, found.greatest);
  };
  EXPECT_EQ(stretch({1, 2}), std::pair(2.0, 4.0));
  EXPECT_EQ(stretch({1, 3}), std::pair(1.0, 2.0));
  EXPECT_EQ(stretch({2, 5}), std::pair(2.0, 2.0));
  EXPECT_EQ(stretch({99, 100}), std::pair(9.0, 9.0));
  EXPECT_EQ(stretch({1, 100}), std::pair(-1.0, -1.0));
}

TEST(Truth, OfOneRowHasNoVariance) {
  const PlacedPopulation all = people();
  const auto one = all.members().first(1);
  EXPECT_FALSE(truth_of({.aggregate = query::Aggregate::variance_sample}, all, one, Whose::sample));
  EXPECT_EQ(truth_of({.aggregate = query::Aggregate::variance_sample}, all, one, Whose::population)->least, 0);
}

TEST(Truth, IsHeldByAnIntervalThatHasAllOfIt) {
  EXPECT_TRUE((Truth{1, 2}).is_in({1, 2}));
  EXPECT_FALSE((Truth{1, 2}).is_in({1, 1.9}));
  EXPECT_FALSE((Truth{1, 2}).is_in({1.1, 2}));
  EXPECT_TRUE((Truth{0.1 + 0.2, 0.1 + 0.2}).is_in({0.2, 0.3}));  // a double above 0.3
  EXPECT_FALSE((Truth{0.3001, 0.3001}).is_in({0.2, 0.3}));
}

}  // namespace
}  // namespace vernier::coverage
