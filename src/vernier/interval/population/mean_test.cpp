#include "vernier/interval/population/mean.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "statistics.hpp"
#include "support/integer_laws.hpp"
#include "support/parameters.hpp"
#include "support/seeded_bits.hpp"
#include "vernier/interval/population/public_count_mean.hpp"
#include "vernier/noise/integer_sampler.hpp"

namespace vernier::interval {
namespace {

using Sums = std::vector<std::int64_t>;
using testing::law_at;

const MeanNodes nodes = *MeanNodes::of(Basis::bernstein, 100);

noise::ValueRange bounds(double lower, double upper) {
  return *noise::ValueRange::of(*Real::of(lower), *Real::of(upper));
}

template <class Law>
PopulationMeanInference<Law> inference_of(double rows, double alpha, Assurance assurance, const Design& design = {}) {
  const Law law = law_at<Law>(rows * static_cast<double>(nodes.weight()));
  return *PopulationMeanInference<Law>::of(law, nodes, bounds(-1, 1), *Alpha::of(alpha), assurance, design);
}

// n rows of each of these.
Sums sums_of(std::int64_t n, std::initializer_list<std::int64_t> places) {
  Sums found(3);
  for (const std::int64_t k : places) {
    for (std::size_t i = 0; i < 3; ++i) found[i] += n * nodes.row(k)[i];
  }
  return found;
}

double width(const PopulationInterval& found) { return found.interval.high - found.interval.low; }

template <class Law>
class PopulationMean : public ::testing::Test {};
using Laws = ::testing::Types<noise::Geometric, noise::DiscreteGaussian>;
TYPED_TEST_SUITE(PopulationMean, Laws);

TYPED_TEST(PopulationMean, LiesInItsIntervalAndTheIntervalInTheBounds) {
  test::Parameters any(81);
  for (const Assurance assurance : {Assurance::usual, Assurance::guaranteed}) {
    const auto inference = inference_of<TypeParam>(2, 0.05, assurance);
    for (int i = 0; i < 100; ++i) {
      Sums released;
      for (int node = 0; node < 3; ++node) {
        released.push_back(static_cast<std::int64_t>((any.uniform(-5, 5) + any.log_uniform(0.1, 1e4)) * 1e4));
      }
      const PopulationInterval found = *inference.from(released);
      EXPECT_TRUE(found.interval.contains(found.value));
      EXPECT_GE(found.accuracy, std::max(found.value - found.interval.low, found.interval.high - found.value));
      EXPECT_GE(found.interval.low, -1);
      EXPECT_LE(found.interval.high, 1);
      EXPECT_EQ(found.informative, found.interval.low > -1 || found.interval.high < 1);
      EXPECT_EQ(found.status, assurance == Assurance::usual ? Status::tested : Status::proven);
    }
  }
}

TYPED_TEST(PopulationMean, IsMirroredWhenTheBoundsChangePlaces) {
  for (const Assurance assurance : {Assurance::usual, Assurance::guaranteed}) {
    const auto inference = inference_of<TypeParam>(2, 0.05, assurance);
    const Sums released = sums_of(50, {10, 30, 80});
    const PopulationInterval one_way = *inference.from(released);
    const PopulationInterval other_way = *inference.from(Sums(released.rbegin(), released.rend()));
    EXPECT_NEAR(one_way.interval.low, -other_way.interval.high, 1e-9);
    EXPECT_NEAR(one_way.interval.high, -other_way.interval.low, 1e-9);
  }
}

// With many rows the sample decides: 1.96 or rather 2.005 deviations, and about 2.5 where it is guaranteed.
TYPED_TEST(PopulationMean, IsAsShortAsTheSampleAllowsWithManyRows) {
  const Sums released = sums_of(500'000, {0, 100});
  EXPECT_NEAR(width(*inference_of<TypeParam>(1, 0.05, Assurance::usual).from(released)) / 2 * 1000, 2.005, 0.02);
  EXPECT_NEAR(width(*inference_of<TypeParam>(1, 0.05, Assurance::guaranteed).from(released)) / 2 * 1000, 2.5, 0.07);
}

TYPED_TEST(PopulationMean, IsLongerThanThatOfTheRowsAndLongerStillWhereGuaranteed) {
  const Sums released = sums_of(100, {10, 30, 80, 80});
  const TypeParam law = law_at<TypeParam>(static_cast<double>(nodes.weight()));
  const MeanInterval of_rows =
      *MeanInference<TypeParam>::of(law, nodes, bounds(-1, 1), *Alpha::of(0.05)).from(released);
  const double usual = width(*inference_of<TypeParam>(1, 0.05, Assurance::usual).from(released));
  EXPECT_GT(usual, 1.5 * (of_rows.interval.high - of_rows.interval.low));
  EXPECT_GT(width(*inference_of<TypeParam>(1, 0.05, Assurance::guaranteed).from(released)), 1.1 * usual);
}

// With half of the population drawn, by the root of a half; a census leaves the noise alone.
TYPED_TEST(PopulationMean, IsShorterTheMoreOfThePopulationWasDrawn) {
  const Sums released = sums_of(500'000, {0, 100});
  const double endless = width(*inference_of<TypeParam>(1, 0.05, Assurance::usual).from(released));
  const double half = width(*inference_of<TypeParam>(1, 0.05, Assurance::usual, {0.5, 1}).from(released));
  EXPECT_NEAR(half / endless, std::sqrt(0.5), 0.01);
  EXPECT_LT(width(*inference_of<TypeParam>(1, 0.05, Assurance::usual, {1, 1}).from(released)), 0.05 * endless);
  const double guaranteed = width(*inference_of<TypeParam>(1, 0.05, Assurance::guaranteed).from(released));
  EXPECT_EQ(width(*inference_of<TypeParam>(1, 0.05, Assurance::guaranteed, {0.5, 1}).from(released)), guaranteed);
}

// 998 of 1,000 members are drawn, and the only one at the upper bound is left out: in two of a thousand samples.
TYPED_TEST(PopulationMean, HoldsAlthoughARareMemberWasLeftOut) {
  const auto inference = inference_of<TypeParam>(1e-3, 1e-3, Assurance::usual, {.sampled = 0.998});
  EXPECT_TRUE(inference.from(sums_of(998, {0}))->interval.contains(-1 + 2.0 / 1000));
}

TYPED_TEST(PopulationMean, SaysWhenItKnowsNothingAndRefusesWhatItCannotDo) {
  const auto inference = inference_of<TypeParam>(1, 0.05, Assurance::usual);
  const PopulationInterval none = *inference.from(Sums{0, 0, 0});
  EXPECT_FALSE(none.informative);
  EXPECT_TRUE(none.may_be_empty);
  EXPECT_EQ(none.value, 0);
  EXPECT_FALSE(inference.from(Sums{1, 2}));
  using Inference = PopulationMeanInference<TypeParam>;
  const TypeParam law = law_at<TypeParam>(3);
  const Alpha alpha = *Alpha::of(0.05);
  const auto refuses = [&](const MeanNodes& of, const Design& design) {
    return !Inference::of(law, of, bounds(0, 1), alpha, Assurance::usual, design);
  };
  EXPECT_TRUE(refuses(*MeanNodes::of(Basis::two, 5), {}));
  EXPECT_TRUE(refuses(nodes, {-0.1, 1}));
  EXPECT_TRUE(refuses(nodes, {0, 0}));
  EXPECT_TRUE(refuses(nodes, {0, INFINITY}));
  EXPECT_FALSE(Inference::of(law, nodes, bounds(0, 1), *Alpha::of(1e-101), Assurance::usual, {}));
}

// At the ends of what alpha may be: longer and longer, and never a surprise.
TYPED_TEST(PopulationMean, IsLongerTheSmallerAlphaIs) {
  const Sums released = sums_of(30'000, {20, 60, 90});
  for (const Assurance assurance : {Assurance::usual, Assurance::guaranteed}) {
    double shorter = 0;
    for (const double alpha : {0.999, 0.5, 0.05, 1e-3, 1e-10, 1e-100}) {
      const PopulationInterval found = *inference_of<TypeParam>(1, alpha, assurance).from(released);
      EXPECT_GT(width(found), shorter) << alpha;
      EXPECT_TRUE(found.interval.contains(found.value));
      shorter = width(found);
    }
    EXPECT_LT(shorter, 1);
  }
}

// ---- weights

// A population of 3,000, half of them in the middle with weight 1, the others at either bound with weight 10; each is
// drawn with a chance of 0.3 over its weight.
TYPED_TEST(PopulationMean, CoversTheWeightedMeanOfADesignWithUnequalChances) {
  constexpr std::uint64_t trials = 300;
  for (const Assurance assurance : {Assurance::usual, Assurance::guaranteed}) {
    const auto inference = inference_of<TypeParam>(1, 0.05, assurance, {0, 10});
    testing::SeededBits bits(5);
    auto source = testing::seeded_source(6);
    const noise::IntegerSampler<TypeParam> sampler(law_at<TypeParam>(static_cast<double>(nodes.weight())));
    std::uint64_t missed = 0, told = 0;
    for (std::uint64_t trial = 0; trial < trials; ++trial) {
      Sums released(3);
      for (int i = 0; i < 3000; ++i) {
        const std::int64_t weight = i % 2 == 0 ? 1 : 10, k = i % 2 == 0 ? 50 : i % 4 == 1 ? 0 : 100;
        if (static_cast<double>(*bits.next() >> 11) * 0x1p-53 >= 0.3 / static_cast<double>(weight)) continue;
        for (std::size_t node = 0; node < 3; ++node) released[node] += weight * nodes.row(k)[node];
      }
      for (std::int64_t& sum : released) sum += *sampler.draw(source);
      const PopulationInterval found = *inference.from(released);
      missed += found.interval.contains(0) ? 0 : 1;
      told += width(found) < 1.2 ? 1 : 0;
    }
    EXPECT_LE(missed, testing::unsurprising_counts(trials, 0.05, 2e-6).greatest);
    EXPECT_GT(told, assurance == Assurance::usual ? trials * 9 / 10 : 0);
  }
}

// ---- a public number of rows

TYPED_TEST(PopulationMean, OfThePublicRowsIsTheIntervalOfTheSumOverTheirNumber) {
  const TypeParam law = law_at<TypeParam>(100);
  const auto inference = *PublicCountMeanInference<TypeParam>::of(law, 100, bounds(-1, 1), *Alpha::of(0.05));
  const auto accuracy = static_cast<double>(*law.two_sided_quantile(*Probability::of(0.05)));
  const MeanInterval found = *inference.from(60'000, 1000);
  EXPECT_NEAR(found.value, 0.2, 1e-12);
  EXPECT_NEAR(found.accuracy, accuracy * 2 / 100'000, 1e-9);
  EXPECT_GE(found.accuracy, accuracy * 2 / 100'000);
  const MeanInterval beyond = *inference.from(120'000, 1000);
  EXPECT_EQ(beyond.value, 1);
  EXPECT_EQ(beyond.interval.high, 1);
  EXPECT_FALSE(inference.from(5, 1)->informative);
  EXPECT_FALSE(inference.from(5, 0));
  EXPECT_FALSE(inference.from(5, std::int64_t{1} << 60));
  EXPECT_FALSE(PublicCountMeanInference<TypeParam>::of(law, 0, bounds(-1, 1), *Alpha::of(0.05)));
}

TYPED_TEST(PopulationMean, IsShorterWithAPublicNumberOfRows) {
  const TypeParam law = law_at<TypeParam>(static_cast<double>(nodes.weight()));
  for (const Assurance assurance : {Assurance::usual, Assurance::guaranteed}) {
    const auto inference =
        *PublicCountPopulationMean<TypeParam>::of(law, nodes, bounds(-1, 1), *Alpha::of(0.05), assurance, Design{});
    const Sums released = sums_of(30, {90, 95, 99});
    const PopulationInterval found = *inference.from(released, 90);
    EXPECT_LT(width(found), width(*inference_of<TypeParam>(1, 0.05, assurance).from(released)));
    EXPECT_TRUE(found.interval.contains(found.value));
    EXPECT_FALSE(found.may_be_empty);
    EXPECT_FALSE(inference.from(released, 0));
    EXPECT_FALSE(inference.from(Sums{1}, 5));
  }
  EXPECT_FALSE(PublicCountPopulationMean<TypeParam>::of(law, nodes, bounds(-1, 1), *Alpha::of(0.05), Assurance::usual,
                                                        Design{0, 2}));
}

}  // namespace
}  // namespace vernier::interval
