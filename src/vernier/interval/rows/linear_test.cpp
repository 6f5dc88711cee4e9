#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "statistics.hpp"
#include "support/integer_laws.hpp"
#include "support/seeded_bits.hpp"
#include "vernier/interval/rows/additive.hpp"
#include "vernier/noise/integer_sampler.hpp"

namespace vernier::interval {
namespace {

using noise::DiscreteGaussian;
using noise::Geometric;
using testing::law_at;
using Sums = std::vector<std::int64_t>;

PossibleRange anything() { return *PossibleRange::of(-(std::int64_t{1} << 60), std::int64_t{1} << 60); }

// Rows at 0, steps / 3 and steps, n of each.
Sums sums_of(const MeanNodes& nodes, std::int64_t n) {
  Sums sums(nodes.count());
  for (const std::int64_t k : {std::int64_t{0}, nodes.steps() / 3, nodes.steps()}) {
    for (std::size_t i = 0; i < nodes.count(); ++i) sums[i] += n * nodes.row(k)[i];
  }
  return sums;
}
std::int64_t sum_of_steps(const MeanNodes& nodes, std::int64_t n, std::int64_t origin) {
  return n * (3 * origin + nodes.steps() / 3 + nodes.steps());
}

template <class Law>
LinearInference<Law> inference(const Law& law, const MeanNodes& nodes, const LinearForm& form, double alpha = 0.05) {
  return LinearInference<Law>::of(law, nodes, form, anything(), *Alpha::of(alpha));
}

TEST(Linear, GivesCountAndSumOfRowsBack) {
  const auto law = law_at<Geometric>(1e-3);
  for (const MeanNodes& nodes : {*MeanNodes::of(Basis::two, 10), *MeanNodes::of(Basis::bernstein, 10),
                                 *MeanNodes::moments(1000, 7), *MeanNodes::moments(1, 1024)}) {
    for (const std::int64_t origin : {-2000, -3, 0, 5}) {
      const Sums sums = sums_of(nodes, 12);
      EXPECT_EQ(inference(law, nodes, count_of_rows(nodes)).from(sums)->value, 36);
      EXPECT_EQ(inference(law, nodes, sum_of_rows(nodes, origin)).from(sums)->value, sum_of_steps(nodes, 12, origin));
    }
  }
}

TEST(Linear, RoundsToTheNearestOnBothSidesOfZero) {
  const MeanNodes nodes = *MeanNodes::of(Basis::two, 10);
  const auto count = inference(law_at<Geometric>(1), nodes, count_of_rows(nodes));
  const auto value = [&](std::int64_t total) { return count.from(Sums{total, 0})->value; };
  EXPECT_EQ(value(14), 1);
  EXPECT_EQ(value(15), 2);
  EXPECT_EQ(value(-14), -1);
  EXPECT_EQ(value(-15), -1);
  EXPECT_EQ(value(-16), -2);
}

// Three normal noises of 100 rows: 1.96 * sqrt(3) * 100 = 339.5.
TEST(Linear, HasTheAccuracyOfItsCombination) {
  const MeanNodes nodes = *MeanNodes::of(Basis::bernstein, 1000);
  EXPECT_EQ(inference(law_at<DiscreteGaussian>(1e8), nodes, count_of_rows(nodes)).accuracy(), 339);
  // A sum over [-1000, 0] steps weighs the nodes by 1, 1/2 and 0: 1.96 * sqrt(1.25) * 100 * 1000 = 219,131.
  EXPECT_NEAR(
      static_cast<double>(inference(law_at<DiscreteGaussian>(1e8), nodes, sum_of_rows(nodes, -1000)).accuracy()),
      219'131, 2);
  // One Laplace noise alone, since the other node has the value 0: 1000 * 100 * ln 20 = 299,573.
  const MeanNodes two = *MeanNodes::of(Basis::two, 1000);
  EXPECT_NEAR(static_cast<double>(inference(law_at<Geometric>(1e5), two, sum_of_rows(two, 0)).accuracy()), 299'573, 3);
}

TEST(Linear, StaysWithinWhatIsPossible) {
  const MeanNodes nodes = *MeanNodes::of(Basis::two, 10);
  const auto count = LinearInference<Geometric>::of(law_at<Geometric>(50), nodes, count_of_rows(nodes),
                                                    *PossibleRange::of(0, 100), *Alpha::of(0.05));
  EXPECT_EQ(count.from(Sums{-500, 100})->value, 0);
  EXPECT_EQ(count.from(Sums{-500, 100})->low, 0);
  EXPECT_EQ(count.from(Sums{5000, 100})->high, 100);
}

TEST(Linear, TakesSumsOfAnySize) {
  constexpr std::int64_t greatest = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
  const MeanNodes nodes = *MeanNodes::moments(1 << 20, 1 << 10);
  const auto sum = inference(law_at<Geometric>(1e12), nodes, sum_of_rows(nodes, -(std::int64_t{1} << 52)));
  for (const Sums& released :
       {Sums{greatest, greatest, greatest}, Sums{least, least, least}, Sums{greatest, 0, least}}) {
    const AdditiveInterval found = *sum.from(released);
    EXPECT_LE(found.low, found.value);
    EXPECT_LE(found.value, found.high);
  }
}

TEST(Linear, RefusesAWrongNumberOfSums) {
  const MeanNodes nodes = *MeanNodes::of(Basis::two, 10);
  EXPECT_EQ(inference(law_at<Geometric>(1), nodes, count_of_rows(nodes)).from(Sums{1, 2, 3}).error().sentence(),
            "a number from node sums needs one released sum per node, 2, but there are 3");
}

// ---- coverage, with the samplers that ship

template <class Law>
std::uint64_t misses(const Law& law, const Law& believed, const MeanNodes& nodes, std::int64_t origin,
                     std::uint64_t trials, std::uint64_t seed) {
  auto source = vernier::testing::seeded_source(seed);
  Sums noise(trials * nodes.count());
  EXPECT_TRUE(noise::IntegerSampler<Law>(law).fill(source, noise));
  const auto count = inference(believed, nodes, count_of_rows(nodes));
  const auto sum = inference(believed, nodes, sum_of_rows(nodes, origin));
  const Sums exact = sums_of(nodes, 5);
  const std::int64_t total = sum_of_steps(nodes, 5, origin);
  std::uint64_t missed_count = 0, missed_sum = 0;
  Sums released(nodes.count());
  for (std::uint64_t i = 0; i < trials; ++i) {
    for (std::size_t j = 0; j < released.size(); ++j) released[j] = exact[j] + noise[i * released.size() + j];
    const AdditiveInterval rows = *count.from(released), steps = *sum.from(released);
    missed_count += rows.low <= 15 && 15 <= rows.high ? 0 : 1;
    missed_sum += steps.low <= total && total <= steps.high ? 0 : 1;
  }
  return std::max(missed_count, missed_sum);
}

template <class Law>
class LinearCoverage : public ::testing::Test {};
using Laws = ::testing::Types<Geometric, DiscreteGaussian>;
TYPED_TEST_SUITE(LinearCoverage, Laws);

TYPED_TEST(LinearCoverage, IsNowhereRefutedAndTightOnAFineGrid) {
  constexpr std::uint64_t trials = 20'000;
  const auto allowed = vernier::testing::unsurprising_counts(trials, 0.05, vernier::testing::false_alarm);
  std::uint64_t seed = 10;
  for (const MeanNodes& nodes : {*MeanNodes::of(Basis::two, 3), *MeanNodes::of(Basis::two, 3000),
                                 *MeanNodes::moments(3, 400), *MeanNodes::moments(3000, 10)}) {
    for (const double rows : {0.5, 20.0}) {
      const auto law = law_at<TypeParam>(rows * static_cast<double>(nodes.weight()));
      EXPECT_LE(misses(law, law, nodes, -1, trials, ++seed), allowed.greatest);
      if (nodes.steps() == 3000) {
        EXPECT_GE(misses(law, law, nodes, -1, trials, seed), allowed.least);
      }
    }
  }
}

TYPED_TEST(LinearCoverage, RefutesAScaleThatIsTooSmall) {
  constexpr std::uint64_t trials = 20'000;
  const auto allowed = vernier::testing::unsurprising_counts(trials, 0.05, vernier::testing::false_alarm);
  const MeanNodes nodes = *MeanNodes::moments(3000, 10);
  const auto law = law_at<TypeParam>(20.0 * 30'000), believed = law_at<TypeParam>(18.0 * 30'000);
  EXPECT_GT(misses(law, believed, nodes, -1, trials, 5), allowed.greatest);
}

}  // namespace
}  // namespace vernier::interval
