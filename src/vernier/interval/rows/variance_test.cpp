#include "vernier/interval/rows/variance.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "support/parameters.hpp"

namespace vernier::interval {
namespace {

using Sums = std::vector<std::int64_t>;

constexpr SpreadForm population{Divisor::rows, false}, sample{Divisor::rows_less_one, false};
constexpr SpreadForm all_forms[] = {population, sample, {Divisor::rows, true}, {Divisor::rows_less_one, true}};

noise::Geometric geometric(double scale) { return *noise::Geometric::of(*LaplaceScale::of(scale)); }
noise::DiscreteGaussian gaussian(double scale) { return *noise::DiscreteGaussian::of(*Sigma::of(scale)); }

// The exact node sums of rows at these places, n of each.
Sums sums(const MeanNodes& nodes, std::int64_t n, const std::vector<std::int64_t>& places) {
  Sums found(nodes.count());
  for (const std::int64_t k : places) {
    const auto row = nodes.row(k);
    for (std::size_t i = 0; i < nodes.count(); ++i) found[i] += n * row[i];
  }
  return found;
}

template <class Law>
SpreadInterval spread(const Law& law, const MeanNodes& nodes, const Sums& released, SpreadForm form = population,
                      double range = 1, double alpha = 0.05) {
  return *SpreadInference<Law>::of(law, nodes, *Real::of(range), *Alpha::of(alpha), form)->from(released);
}

// The greatest number that the bounds allow.
double most_of(SpreadForm form, double range) {
  const double variance = greatest_variance(form.divisor);
  return form.is_root ? std::sqrt(variance) * range : variance * range * range;
}

Sums any_sums(test::Parameters& any, double scale) {
  Sums found;
  for (int i = 0; i < 3; ++i) {
    found.push_back(static_cast<std::int64_t>((any.uniform(-5, 5) + any.log_uniform(0.01, 1e4)) * scale));
  }
  return found;
}

TEST(Variance, LiesInItsIntervalAndTheIntervalInWhatTheBoundsAllow) {
  test::Parameters any(81);
  int informative = 0;
  for (int i = 0; i < 400; ++i) {
    const SpreadForm form = all_forms[i % 4];
    const double scale = any.log_uniform(1, 1e9), range = any.log_uniform(1e-3, 1e6);
    const auto found =
        spread(geometric(scale), *MeanNodes::of(Basis::bernstein, 1000), any_sums(any, scale), form, range);
    EXPECT_TRUE(found.interval.contains(found.value));
    EXPECT_GE(found.accuracy, found.value - found.interval.low);
    EXPECT_GE(found.accuracy, found.interval.high - found.value);
    EXPECT_LE(found.accuracy, (found.interval.high - found.interval.low) * (1 + 1e-12));
    EXPECT_GE(found.interval.low, 0);
    EXPECT_LE(found.interval.high, most_of(form, range) * (1 + 1e-12));
    const bool is_all = found.interval.low == 0 && found.interval.high >= most_of(form, range) * (1 - 1e-12);
    EXPECT_EQ(found.informative, !is_all);
    informative += found.informative ? 1 : 0;
  }
  EXPECT_GT(informative, 100);
  EXPECT_LT(informative, 400);
}

// Rows at 20, 50 and 80 of 100: the variance is 0.06, and 0.06 n / (n - 1) of the sample form.
TEST(Variance, IsThatOfTheRowsWhereTheyAreMany) {
  const MeanNodes nodes = *MeanNodes::of(Basis::bernstein, 100);
  const Sums many = sums(nodes, 100'000, {20, 50, 80});
  EXPECT_NEAR(spread(geometric(10'000), nodes, many).value, 0.06, 1e-6);
  EXPECT_NEAR(spread(gaussian(10'000), nodes, many, {Divisor::rows, true}, 100).value, 100 * std::sqrt(0.06), 1e-4);
  const Sums three = sums(nodes, 1, {20, 50, 80});
  EXPECT_NEAR(spread(geometric(0.01), nodes, three, sample).value, 0.09, 1e-4);
  EXPECT_NEAR(spread(geometric(0.01), nodes, three, population).value, 0.06, 1e-4);
  EXPECT_TRUE(spread(geometric(0.01), nodes, three, sample).interval.contains(0.09));
  EXPECT_FALSE(spread(geometric(0.01), nodes, three, sample).interval.contains(0.06));
}

TEST(Variance, IsMirroredAsItIs) {
  test::Parameters any(82);
  const MeanNodes nodes = *MeanNodes::of(Basis::bernstein, 100);
  for (int i = 0; i < 100; ++i) {
    const Sums released = any_sums(any, 1e5);
    const auto one_way = spread(geometric(1e5), nodes, released, all_forms[i % 4]);
    const auto other_way = spread(geometric(1e5), nodes, Sums(released.rbegin(), released.rend()), all_forms[i % 4]);
    const double slack = 2e-3 * (one_way.interval.high - one_way.interval.low);  // of the boxes
    EXPECT_NEAR(one_way.value, other_way.value, slack);
    EXPECT_NEAR(one_way.interval.low, other_way.interval.low, slack);
    EXPECT_NEAR(one_way.interval.high, other_way.interval.high, slack);
  }
}

TEST(Variance, HasAShorterIntervalAtALargerAlpha) {
  test::Parameters any(83);
  const MeanNodes nodes = *MeanNodes::of(Basis::bernstein, 100);
  for (int i = 0; i < 40; ++i) {
    const Sums released = any_sums(any, 1e5);
    Interval wider{0, 1};
    for (const double alpha : {1e-6, 0.001, 0.05, 0.2, 0.5}) {
      const Interval found = spread(gaussian(1e5), nodes, released, population, 1, alpha).interval;
      const double slack = 2e-3 * (wider.high - wider.low);
      EXPECT_GE(found.low, wider.low - slack) << alpha;
      EXPECT_LE(found.high, wider.high + slack) << alpha;
      wider = found;
    }
  }
}

// Half width times n epsilon, mean in the middle, by the reach of the combination at 0.045: variance 1/4 has the
// coefficients (0, 1/2, 0), variance 0 has (1/4, 1/4, 1/4).
TEST(Variance, IsAsSharpAsTheLawsOverTheRealsAllow) {
  const MeanNodes nodes = *MeanNodes::of(Basis::bernstein, 1000);
  constexpr std::int64_t n = 10'000'000;
  const auto laplace = spread(geometric(1e6), nodes, sums(nodes, n, {0, 1000}));
  EXPECT_NEAR((0.25 - laplace.interval.low) * 2e7 / (0.5 * -std::log(0.045)), 1, 0.005);
  const auto normal = spread(gaussian(1e6), nodes, sums(nodes, n, {500}));
  EXPECT_NEAR(normal.interval.high * 1e7 / (2.00465 * std::sqrt(3.0 / 16)), 1, 0.005);
}

TEST(Variance, SaysWhenItKnowsNothing) {
  const MeanNodes nodes = *MeanNodes::of(Basis::bernstein, 100);
  for (const SpreadForm form : all_forms) {
    const auto none = spread(geometric(1e4), nodes, {0, 0, 0}, form, 3);
    EXPECT_FALSE(none.informative);
    EXPECT_TRUE(none.may_be_empty);
    EXPECT_EQ(none.interval.low, 0);
    EXPECT_NEAR(none.interval.high, most_of(form, 3), 1e-12);
    EXPECT_NEAR(none.value, form.is_root ? 0.75 : 0.5625, 1e-12);  // a deviation of a quarter of the range
    EXPECT_FALSE(spread(geometric(1e4), nodes, {-500'000, 100'000, 30'000}, form).informative);
    const auto many = spread(geometric(1e4), nodes, sums(nodes, 1000, {10, 30}), form);
    EXPECT_TRUE(many.informative);
    EXPECT_FALSE(many.may_be_empty);
  }
}

// With noise far below one row: one row is enough for the population form, and too few for the sample form.
TEST(Variance, NeedsTwoRowsForTheSampleForm) {
  const MeanNodes nodes = *MeanNodes::of(Basis::bernstein, 1000);
  const Sums one = sums(nodes, 1, {400}), two = sums(nodes, 1, {400, 600});
  EXPECT_FALSE(spread(geometric(100), nodes, one, population).may_be_empty);
  EXPECT_TRUE(spread(geometric(100), nodes, one, sample).may_be_empty);
  EXPECT_FALSE(spread(geometric(100), nodes, one, sample).informative);
  EXPECT_FALSE(spread(geometric(100), nodes, two, sample).may_be_empty);
  EXPECT_NEAR(spread(geometric(100), nodes, two, sample).value, 0.02, 1e-3);
}

// No spread at all, and noise that would make it negative.
TEST(Variance, KeepsALengthBeyondZero) {
  const MeanNodes nodes = *MeanNodes::of(Basis::bernstein, 1000);
  Sums released = sums(nodes, 1000, {500});
  released[1] += 30'000'000;  // the squares are then below 0 by 7.5 rows
  const auto found = spread(geometric(1e6), nodes, released);
  EXPECT_EQ(found.interval.low, 0);
  EXPECT_GT(found.interval.high, 0.5 / 1000);
  EXPECT_LT(found.interval.high, 5.0 / 1000);
  EXPECT_GE(found.value, 0);
}

// Squares that were rounded widen the interval by half of one part of the weight, and no more.
TEST(Variance, IsWiderByTheRoundingOfSquares) {
  const MeanNodes exact = *MeanNodes::moments(1000, 1000), rounded = *MeanNodes::moments(1000, 999);
  const Sums many = sums(exact, 1'000'000'000, {100, 100, 700});
  Sums scaled;
  for (const std::int64_t sum : many) scaled.push_back(sum / 1000 * 999);
  const Interval narrow = spread(geometric(1e6), exact, many).interval;
  const Interval wide = spread(geometric(999'000), rounded, scaled).interval;
  EXPECT_NEAR(narrow.low - wide.low, 0.5 / 999'000, 1e-11);
  EXPECT_NEAR(wide.high - narrow.high, 0.5 / 999'000, 1e-11);
}

// The rows of a fine grid in nodes that round their squares: the interval has the variance of the rows themselves.
TEST(Variance, CoversTheRowsWhoseSquaresWereRounded) {
  test::Parameters any(84);
  for (int i = 0; i < 200; ++i) {
    const MeanNodes nodes = *MeanNodes::moments(997, 1 + i % 5);
    std::vector<std::int64_t> places;
    double sum = 0, squares = 0;
    for (int j = 0; j < 20; ++j) {
      places.push_back(static_cast<std::int64_t>(any.uniform(0, 998)));
      const double place = static_cast<double>(places.back()) / 997;
      sum += place, squares += place * place;
    }
    const double variance = squares / 20 - sum * sum / 400;
    const auto found = spread(geometric(1e-3), nodes, sums(nodes, 1'000'000, places));
    EXPECT_TRUE(found.interval.contains(variance));
    EXPECT_LE(found.interval.high - found.interval.low, 1.01 / static_cast<double>(nodes.weight()));
    EXPECT_TRUE(spread(geometric(1e-3), nodes, sums(nodes, 1, places), sample).interval.contains(variance * 20 / 19));
  }
}

TEST(Variance, TakesSumsOfAnySize) {
  constexpr std::int64_t greatest = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
  const MeanNodes nodes = *MeanNodes::moments(1 << 20, 1 << 20);
  for (const double scale : {1e-3, 1.0, 1e12}) {
    for (const Sums& released :
         {Sums{greatest, greatest, greatest}, Sums{least, least, least}, Sums{greatest, 0, least},
          Sums{greatest, 1 - greatest, 1}, Sums{0, greatest, 0}, Sums{1, 0, 0}, Sums{greatest, least, greatest}}) {
      for (const SpreadForm form : all_forms) {
        const auto found = spread(geometric(scale), nodes, released, form);
        EXPECT_TRUE(found.interval.contains(found.value));
        EXPECT_GE(found.interval.low, 0);
        EXPECT_LE(found.interval.high, most_of(form, 1) * (1 + 1e-12));
      }
    }
  }
}

TEST(Variance, RefusesWhatItCannotUse) {
  const MeanNodes two = *MeanNodes::of(Basis::two, 10), three = *MeanNodes::of(Basis::bernstein, 10);
  const Real range = *Real::of(1);
  const Alpha alpha = *Alpha::of(0.05);
  EXPECT_EQ(SpreadInference<noise::Geometric>::of(geometric(1), two, range, alpha, sample).error().sentence(),
            "a variance needs node sums of the Bernstein basis");
  const Sums four{1, 2, 3, 4};
  EXPECT_FALSE(SpreadInference<noise::Geometric>::of(geometric(1), three, range, alpha, sample)->from(four));
}

}  // namespace
}  // namespace vernier::interval
