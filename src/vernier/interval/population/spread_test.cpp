#include "vernier/interval/population/spread.hpp"

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
constexpr SpreadForm variance{Divisor::rows, false}, sample_variance{Divisor::rows_less_one, false},
    deviation{Divisor::rows, true};

template <class Law>
PopulationSpreadInference<Law> inference(const Law& law, const MeanNodes& nodes, SpreadForm form, Design design = {}) {
  return *PopulationSpreadInference<Law>::of(law, nodes, *Real::of(1), *Alpha::of(alpha), form, design);
}

template <class Law>
class PopulationSpread : public ::testing::Test {
 protected:
  const MeanNodes nodes_ = *MeanNodes::moments(100, 100);
  const Law law_ = law_at<Law>(static_cast<double>(nodes_.weight()));
  // A normal population of which n rows were drawn as they are expected.
  Sums expected(std::int64_t n) const {
    const Population normal = testing::all_shapes(100).front();
    Sums counts;
    for (std::int64_t k = 0; k <= 100; ++k) counts.push_back(std::llround(static_cast<double>(n) * normal.mass(k)));
    return sums_of(counts, nodes_);
  }
};
using Laws = ::testing::Types<Geometric, DiscreteGaussian>;
TYPED_TEST_SUITE(PopulationSpread, Laws);

TYPED_TEST(PopulationSpread, IsWiderThanThatOfTheRows) {
  const auto of_rows =
      *SpreadInference<TypeParam>::of(this->law_, this->nodes_, *Real::of(1), *Alpha::of(alpha), variance);
  for (const std::int64_t n : {500, 10'000, 1'000'000}) {
    const Interval rows = of_rows.from(this->expected(n))->interval;
    const PopulationInterval found = *inference(this->law_, this->nodes_, variance).from(this->expected(n));
    EXPECT_GT(found.interval.high - found.interval.low, rows.high - rows.low) << n;
    EXPECT_TRUE(found.interval.contains(testing::all_shapes(100).front().variance())) << n;
    EXPECT_EQ(found.status, Status::tested);
    EXPECT_LE(found.value - found.accuracy, found.interval.low);
    EXPECT_GE(found.value + found.accuracy, found.interval.high);
  }
}

// 2.05 standard errors with the greatest fourth moment that mean and variance allow: V (b^2 - V) for (x - mean)^2.
TYPED_TEST(PopulationSpread, HasTheWidthThatThePageSays) {
  const Population normal = testing::all_shapes(100).front();
  const double v = normal.variance(), b = 1 - normal.mean();
  const PopulationInterval found = *inference(this->law_, this->nodes_, variance).from(this->expected(10'000'000));
  const double half = 1.96 * std::sqrt(v * (b * b - v) / 1e7);
  EXPECT_GT(found.interval.high - found.interval.low, 2 * half);
  EXPECT_LT(found.interval.high - found.interval.low, 2 * half * 1.12);
}

TYPED_TEST(PopulationSpread, OfADeviationIsTheRootAndOfEitherDivisorTheSame) {
  const Interval found = inference(this->law_, this->nodes_, variance).from(this->expected(5000))->interval;
  const Interval root = inference(this->law_, this->nodes_, deviation).from(this->expected(5000))->interval;
  const Interval sample = inference(this->law_, this->nodes_, sample_variance).from(this->expected(5000))->interval;
  EXPECT_NEAR(root.low * root.low, found.low, 1e-12);
  EXPECT_NEAR(root.high * root.high, found.high, 1e-12);
  EXPECT_EQ(sample.low, found.low);
  EXPECT_EQ(sample.high, found.high);
}

TYPED_TEST(PopulationSpread, IsShorterWhereMostOfThePopulationWasDrawn) {
  const auto width = [&](double sampled) {
    const auto found = inference(this->law_, this->nodes_, variance, {sampled, 1}).from(this->expected(100'000));
    return found->interval.high - found->interval.low;
  };
  EXPECT_LT(width(0.9), 0.5 * width(0));
}

TYPED_TEST(PopulationSpread, TellsNothingOfNoRows) {
  const PopulationInterval found = *inference(this->law_, this->nodes_, variance).from(Sums{0, 0, 0});
  EXPECT_EQ(found.interval.low, 0);
  EXPECT_EQ(found.interval.high, 0.25);
  EXPECT_FALSE(found.informative);
  EXPECT_TRUE(found.may_be_empty);
}

TYPED_TEST(PopulationSpread, RefusesOtherNodesDesignsAndSums) {
  const auto of = [&](const MeanNodes& nodes, const Design& design) {
    return PopulationSpreadInference<TypeParam>::of(this->law_, nodes, *Real::of(1), *Alpha::of(alpha), variance,
                                                    design);
  };
  EXPECT_FALSE(of(*MeanNodes::of(Basis::two, 100), {}));
  EXPECT_FALSE(of(this->nodes_, {1.5, 1}));
  EXPECT_FALSE(of(this->nodes_, {0, -1}));
  EXPECT_FALSE(of(this->nodes_, {})->from(Sums{1, 2}));
}

// ---- by simulation

using Method = std::function<Interval(const Sums&)>;
template <class Law>
using MethodFor = std::function<Method(const Law&, const MeanNodes&)>;

template <class Law>
Method shipped(const Law& law, const MeanNodes& nodes) {
  return [made = inference(law, nodes, variance)](const Sums& released) { return made.from(released)->interval; };
}

template <class Law>
Method of_rows(const Law& law, const MeanNodes& nodes) {
  const auto made = *SpreadInference<Law>::of(law, nodes, *Real::of(1), *Alpha::of(alpha), variance);
  return [made](const Sums& released) { return made.from(released)->interval; };
}

template <class Law>
std::uint64_t misses(const Law& law, const MeanNodes& nodes, const Population& population, std::int64_t n,
                     const Method& method, std::uint64_t trials, std::uint64_t seed) {
  auto source = vernier::testing::seeded_source(seed);
  std::mt19937_64 random(seed);
  Sums noise(3 * trials);
  EXPECT_TRUE(noise::IntegerSampler<Law>(law).fill(source, noise));
  const double truth = population.variance();
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < noise.size(); i += 3) {
    Sums released = sums_of(population.sample(n, random), nodes);
    for (std::size_t j = 0; j < 3; ++j) released[j] += noise[i + j];
    const Interval found = method(released);
    count += found.low <= truth * (1 + 1e-12) && truth <= found.high * (1 + 1e-12) ? 0 : 1;
  }
  return count;
}

struct Grid {
  std::vector<Population> shapes;
  std::vector<std::int64_t> numbers;
  std::vector<double> epsilons;
};

// How many cells refute that the method covers 95 %, at the false-alarm rate of all cells together.
template <class Law>
int refuted(const Grid& grid, std::uint64_t trials, const MethodFor<Law>& method_for) {
  const double cells = static_cast<double>(grid.shapes.size() * grid.numbers.size() * grid.epsilons.size());
  const auto allowed = vernier::testing::unsurprising_counts(trials, alpha, 2e-6 / cells).greatest;
  int found = 0;
  std::uint64_t seed = 3000;
  for (const double epsilon : grid.epsilons) {
    for (const Population& shape : grid.shapes) {
      const MeanNodes nodes = *MeanNodes::moments(shape.steps(), shape.steps());
      const Law law =
          law_at<Law>(static_cast<double>(nodes.weight()) * scale_in_rows(static_cast<const Law*>(nullptr), epsilon));
      const Method method = method_for(law, nodes);
      for (const std::int64_t n : grid.numbers) {
        if (misses(law, nodes, shape, n, method, trials, ++seed) > allowed) ++found;
      }
    }
  }
  return found;
}

// Rare values: the hardest for intervals that learn their width from the rows.
std::vector<Population> rare_values() {
  std::vector<Population> found;
  for (const double part : {0.0001, 0.00016, 0.001, 0.0016, 0.01}) {
    found.push_back(testing::two_points(40, part, 1, 0));
    found.push_back(testing::two_points(40, part, 1, 0.5));
  }
  return found;
}

const Grid usual_grid{testing::all_shapes(40), {30, 500, 5000}, {0.3, 3}};
const Grid heavy_grid{testing::all_shapes(40), {0, 2, 30, 100, 500, 5000, 50'000}, {0.1, 0.5, 1, 10, 1000}};
const Grid rare_grid{rare_values(), {100, 1000}, {1000}};

template <class Law>
class SlowPopulationSpreadCoverage : public ::testing::Test {};
template <class Law>
class HeavyPopulationSpreadCoverage : public ::testing::Test {};
TYPED_TEST_SUITE(SlowPopulationSpreadCoverage, Laws);
TYPED_TEST_SUITE(HeavyPopulationSpreadCoverage, Laws);

TYPED_TEST(SlowPopulationSpreadCoverage, IsNowhereRefuted) {
  EXPECT_EQ(refuted<TypeParam>(usual_grid, 150, shipped<TypeParam>), 0);
  EXPECT_EQ(refuted<TypeParam>(rare_grid, 300, shipped<TypeParam>), 0);
}

TYPED_TEST(SlowPopulationSpreadCoverage, IsRefutedForTheRowsOwnInterval) {
  EXPECT_GT(refuted<TypeParam>({testing::all_shapes(40), {5000}, {3}}, 60, of_rows<TypeParam>), 0);
}

// Where noise is nearly all there is: a constant. Half the scale is refuted, a tenth less is within what guards.
TYPED_TEST(SlowPopulationSpreadCoverage, IsRefutedForNoiseThatIsTooSmall) {
  const MethodFor<TypeParam> too_small = [](const TypeParam& law, const MeanNodes& nodes) {
    return shipped(law_at<TypeParam>(law.scale() * 0.5), nodes);
  };
  const Grid constant{{testing::two_points(40, 0.5, 1, 0)}, {20'000}, {0.005}};
  EXPECT_EQ(refuted<TypeParam>(constant, 300, shipped<TypeParam>), 0);
  EXPECT_GT(refuted<TypeParam>(constant, 300, too_small), 0);
}

TYPED_TEST(HeavyPopulationSpreadCoverage, IsNowhereRefuted) {
  EXPECT_EQ(refuted<TypeParam>(heavy_grid, 300, shipped<TypeParam>), 0);
  EXPECT_EQ(refuted<TypeParam>(rare_grid, 1000, shipped<TypeParam>), 0);
}

}  // namespace
}  // namespace vernier::interval
