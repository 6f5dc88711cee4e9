#include "vernier/interval/population/sum.hpp"

#include <cmath>
#include <functional>
#include <random>

#include <gtest/gtest.h>

#include "statistics.hpp"
#include "support/integer_laws.hpp"
#include "support/populations.hpp"
#include "support/seeded_bits.hpp"
#include "vernier/noise/integer_sampler.hpp"

namespace vernier::interval {
namespace {

using noise::DiscreteGaussian;
using noise::Geometric;
using testing::law_at;
using testing::Population;
using testing::scale_in_rows;
using testing::sums_of;
using Sums = std::vector<std::int64_t>;

constexpr double alpha = 0.05;

noise::ValueRange bounds(double lower, double upper) {
  return *noise::ValueRange::of(*Real::of(lower), *Real::of(upper));
}

template <class Law>
PopulationSumInference<Law> inference(const Law& law, const MeanNodes& nodes, noise::ValueRange range, double sampled) {
  return *PopulationSumInference<Law>::of(law, nodes, range, *Alpha::of(alpha), {sampled, 1});
}

template <class Law>
class PopulationSum : public ::testing::Test {
 protected:
  const MeanNodes nodes_ = *MeanNodes::moments(100, 100);
  const Law law_ = law_at<Law>(static_cast<double>(nodes_.weight()));
};
using Laws = ::testing::Types<Geometric, DiscreteGaussian>;
TYPED_TEST_SUITE(PopulationSum, Laws);

// 10,000 rows at the upper bound, a tenth of the population.
TYPED_TEST(PopulationSum, IsTheSumOfTheRowsDividedByThePartWithItsStandardError) {
  Sums counts(101);
  counts[100] = 10'000;
  const PopulationInterval found =
      *inference(this->law_, this->nodes_, bounds(0, 50), 0.1).from(sums_of(counts, this->nodes_));
  const double error = 50 / 0.1 * std::sqrt(10'000 * 0.9);
  EXPECT_NEAR(found.value, 5'000'000, 1);
  EXPECT_GT(found.accuracy, 1.96 * error);
  EXPECT_LT(found.accuracy, 1.96 * error * 1.07);
  EXPECT_EQ(found.status, Status::tested);
  EXPECT_FALSE(found.may_be_empty);
}

TYPED_TEST(PopulationSum, OfAllMembersHasTheNoiseAlone) {
  Sums counts(101);
  counts[100] = 10'000;
  const PopulationInterval found =
      *inference(this->law_, this->nodes_, bounds(0, 50), 1).from(sums_of(counts, this->nodes_));
  const double deviation = std::sqrt(this->law_.variance().upper * 1.25) / static_cast<double>(this->nodes_.weight());
  EXPECT_GT(found.accuracy, 50 * 1.9 * deviation);
  EXPECT_LT(found.accuracy, 50 * 2.4 * deviation);
}

TYPED_TEST(PopulationSum, StaysOnTheSideOfItsBounds) {
  const PopulationInterval above = *inference(this->law_, this->nodes_, bounds(0, 50), 0.1).from(Sums{0, -90'000, -1});
  EXPECT_EQ(above.interval.low, 0);
  EXPECT_GT(above.interval.high, 500);
  EXPECT_EQ(above.value, 0);
  EXPECT_TRUE(above.may_be_empty);
  const PopulationInterval below = *inference(this->law_, this->nodes_, bounds(-50, 0), 0.1).from(Sums{9, -90'000, -1});
  EXPECT_EQ(below.interval.high, 0);
  EXPECT_LT(inference(this->law_, this->nodes_, bounds(-1, 50), 0.1).from(Sums{0, 0, 0})->interval.low, -100);
}

TYPED_TEST(PopulationSum, RefusesUnknownDesigns) {
  const auto of = [&](const MeanNodes& nodes, const Design& design) {
    return PopulationSumInference<TypeParam>::of(this->law_, nodes, bounds(0, 1), *Alpha::of(alpha), design);
  };
  EXPECT_FALSE(of(this->nodes_, {}));
  EXPECT_FALSE(of(this->nodes_, {1.5, 1}));
  EXPECT_FALSE(of(this->nodes_, {0.5, 3}));
  EXPECT_FALSE(of(this->nodes_, {0, 3}));         // weights that tell ratios
  EXPECT_FALSE(of(this->nodes_, {0, 3, 0.25}));   // less than a member behind the heaviest row
  EXPECT_FALSE(of(this->nodes_, {0.5, 3, 0.5}));  // weighted, and evenly drawn
  EXPECT_TRUE(of(this->nodes_, {0, 4, 0.25}));
  EXPECT_FALSE(of(*MeanNodes::of(Basis::two, 100), {0.5, 1}));
  EXPECT_FALSE(of(this->nodes_, {0.5, 1})->from(Sums{1, 2}));
}

// Weights in steps of a quarter of a member, 40 of them at most: what is drawn with a chance of 1/10 and added up with
// a weight of 40 steps is what is drawn with that chance and added up as it is.
TYPED_TEST(PopulationSum, OfEqualWeightsIsThatOfThePartThatTheyTell) {
  const Sums sums = sums_of(Sums(101, 25), this->nodes_);
  Sums weighted = sums;
  for (std::int64_t& sum : weighted) sum *= 40;
  const auto range = bounds(-10, 50);
  const PopulationInterval even = *inference(this->law_, this->nodes_, range, 0.1).from(sums);
  const PopulationInterval found =
      PopulationSumInference<TypeParam>::of(law_at<TypeParam>(40 * this->law_.scale()), this->nodes_, range,
                                            *Alpha::of(alpha), {0, 40, 0.25})
          ->from(weighted)
          .value();
  EXPECT_NEAR(found.value, even.value, 1e-6 * even.accuracy);
  EXPECT_NEAR(found.accuracy, even.accuracy, 2e-3 * even.accuracy);
  EXPECT_EQ(found.status, Status::tested);
}

// The variance of a sum of ones is at most 9 in 10 of 40 times their weights, and the guard is that of a row of 40.
TYPED_TEST(PopulationSum, OfOnesIsTheNumberOfMembers) {
  const TypeParam law = law_at<TypeParam>(1);
  const auto count = PopulationSumInference<TypeParam>::of_count(law, *Alpha::of(alpha), {0, 40, 0.25}).value();
  const PopulationInterval found = *count.from(Sums{40'000});
  EXPECT_EQ(found.value, 10'000);
  const SampleGuard guard = SampleGuard::at(*Alpha::of(alpha));
  const double reach = found.accuracy / 0.25, variance = 0.9 * 40 * 40'000 + guard.variance * 1600;
  EXPECT_NEAR(reach, 2.005 * std::sqrt(variance + guard.skew * 40 * reach) + guard.half_step * 40, 12);
  EXPECT_FALSE(found.may_be_empty);
  EXPECT_EQ(count.from(Sums{-30})->value, 0);
  EXPECT_EQ(count.from(Sums{-30})->interval.low, 0);
  EXPECT_GT(count.from(Sums{-30})->interval.high, 28);  // of 28 members none is drawn with 0.9^28 > alpha
  EXPECT_TRUE(count.from(Sums{-30})->may_be_empty);
  EXPECT_FALSE(count.from(Sums{1, 2}));
  EXPECT_FALSE(PopulationSumInference<TypeParam>::of_count(law, *Alpha::of(alpha), {}));
}

// Whoever weighs at most one member is there for certain.
TYPED_TEST(PopulationSum, OfWeightsOfOneMemberHasTheNoiseAlone) {
  const TypeParam law = law_at<TypeParam>(10);
  const auto count = PopulationSumInference<TypeParam>::of_count(law, *Alpha::of(alpha), {0, 4, 0.25}).value();
  EXPECT_LT(count.from(Sums{40'000})->accuracy, 0.25 * (10 * 3.4 + 2));
  EXPECT_GT(count.from(Sums{40'000})->accuracy, 0.25 * (10 * 1.96));
}

// ---- by simulation

using Method = std::function<Interval(const Sums&)>;
template <class Law>
using MethodFor = std::function<Method(const Law&, const MeanNodes&, noise::ValueRange, double sampled)>;

template <class Law>
Method shipped(const Law& law, const MeanNodes& nodes, noise::ValueRange range, double sampled) {
  return [made = inference(law, nodes, range, sampled)](const Sums& released) { return made.from(released)->interval; };
}

// The interval of the sum of the rows, divided by the part.
template <class Law>
Method without_sampling(const Law& law, const MeanNodes& nodes, noise::ValueRange range, double sampled) {
  return [made = inference(law, nodes, range, 1), sampled](const Sums& released) {
    const Interval found = made.from(released)->interval;
    return Interval{found.low / sampled, found.high / sampled};
  };
}

// So many members at each place, each drawn with the same chance.
Sums drawn_from(const Sums& members, double sampled, std::mt19937_64& random) {
  Sums counts;
  for (const std::int64_t m : members) {
    counts.push_back(m == 0 ? 0 : std::binomial_distribution<std::int64_t>(m, sampled)(random));
  }
  return counts;
}

template <class Law>
std::uint64_t misses(const Law& law, const MeanNodes& nodes, noise::ValueRange range, const Sums& members,
                     double sampled, const Method& method, std::uint64_t trials, std::uint64_t seed) {
  auto source = vernier::testing::seeded_source(seed);
  std::mt19937_64 random(seed);
  Sums noise(3 * trials);
  EXPECT_TRUE(noise::IntegerSampler<Law>(law).fill(source, noise));
  double truth = 0;
  for (std::size_t k = 0; k < members.size(); ++k) {
    const double place = static_cast<double>(k) / static_cast<double>(nodes.steps());
    truth += static_cast<double>(members[k]) * (range.lower() + (range.upper() - range.lower()) * place);
  }
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < noise.size(); i += 3) {
    Sums released = sums_of(drawn_from(members, sampled, random), nodes);
    for (std::size_t j = 0; j < 3; ++j) released[j] += noise[i + j];
    const Interval found = method(released);
    const double slack = 1e-9 * std::abs(truth);
    count += found.low <= truth + slack && truth <= found.high + slack ? 0 : 1;
  }
  return count;
}

struct Grid {
  std::vector<Population> shapes;
  std::vector<std::int64_t> sizes;
  std::vector<double> parts, epsilons;
};

// How many cells refute that the method covers 95 %, at the false-alarm rate of all cells together.
template <class Law>
int refuted(const Grid& grid, std::uint64_t trials, const MethodFor<Law>& method_for) {
  const double cells =
      2.0 * static_cast<double>(grid.shapes.size() * grid.sizes.size() * grid.parts.size() * grid.epsilons.size());
  const auto allowed = vernier::testing::unsurprising_counts(trials, alpha, 2e-6 / cells).greatest;
  int found = 0;
  std::mt19937_64 random(5);
  std::uint64_t seed = 6000;
  for (const noise::ValueRange& range : {bounds(0, 10), bounds(-10, 4)}) {
    for (const double epsilon : grid.epsilons) {
      for (const double part : grid.parts) {
        const MeanNodes nodes = *MeanNodes::moments(40, 40);
        const Law law =
            law_at<Law>(static_cast<double>(nodes.weight()) * scale_in_rows(static_cast<const Law*>(nullptr), epsilon));
        const Method method = method_for(law, nodes, range, part);
        for (const Population& shape : grid.shapes) {
          for (const std::int64_t size : grid.sizes) {
            const Sums members = shape.sample(size, random);
            if (misses(law, nodes, range, members, part, method, trials, ++seed) > allowed) ++found;
          }
        }
      }
    }
  }
  return found;
}

// One, two, ... members of the greatest value among many of none.
std::vector<Population> rare_values() {
  std::vector<Population> found;
  for (const double part : {0.0005, 0.002, 0.005, 0.02}) found.push_back(testing::two_points(40, part, 1, 0));
  return found;
}

const Grid usual_grid{testing::all_shapes(40), {100, 20'000}, {0.02, 0.5}, {0.3, 3}};
const Grid heavy_grid{
    testing::all_shapes(40), {0, 10, 100, 1000, 20'000, 500'000}, {0.01, 0.1, 0.5, 0.99, 1}, {0.1, 1, 1000}};
const Grid rare_grid{rare_values(), {1000}, {0.05, 0.5, 0.9, 0.99}, {1000}};

template <class Law>
class SlowPopulationSumCoverage : public ::testing::Test {};
template <class Law>
class HeavyPopulationSumCoverage : public ::testing::Test {};
TYPED_TEST_SUITE(SlowPopulationSumCoverage, Laws);
TYPED_TEST_SUITE(HeavyPopulationSumCoverage, Laws);

TYPED_TEST(SlowPopulationSumCoverage, IsNowhereRefuted) {
  EXPECT_EQ(refuted<TypeParam>(usual_grid, 400, shipped<TypeParam>), 0);
  EXPECT_EQ(refuted<TypeParam>(rare_grid, 2000, shipped<TypeParam>), 0);
}

TYPED_TEST(SlowPopulationSumCoverage, IsRefutedWithoutSamplingErrorOrWithNoiseATenthTooSmall) {
  EXPECT_GT(refuted<TypeParam>(usual_grid, 100, without_sampling<TypeParam>), 0);
  const MethodFor<TypeParam> too_small = [](const TypeParam& law, const MeanNodes& nodes, noise::ValueRange range,
                                            double sampled) {
    return shipped(law_at<TypeParam>(law.scale() * 0.9), nodes, range, sampled);
  };
  const Grid noisy{{testing::all_shapes(40).front()}, {100}, {1}, {0.01}};
  EXPECT_EQ(refuted<TypeParam>(noisy, 20'000, shipped<TypeParam>), 0);
  EXPECT_GT(refuted<TypeParam>(noisy, 20'000, too_small), 0);
}

TYPED_TEST(HeavyPopulationSumCoverage, IsNowhereRefuted) {
  EXPECT_EQ(refuted<TypeParam>(heavy_grid, 600, shipped<TypeParam>), 0);
  EXPECT_EQ(refuted<TypeParam>(rare_grid, 10'000, shipped<TypeParam>), 0);
}

}  // namespace
}  // namespace vernier::interval
