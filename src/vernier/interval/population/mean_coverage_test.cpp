// Whether the intervals of population means cover, by simulation of sample and noise with the samplers that ship; and
// whether intervals that are known to be wrong are found out in the same way.
#include <cmath>
#include <functional>
#include <vector>

#include <gtest/gtest.h>

#include "statistics.hpp"
#include "support/integer_laws.hpp"
#include "support/sampled_rows.hpp"
#include "support/seeded_bits.hpp"
#include "vernier/interval/population/mean.hpp"
#include "vernier/interval/population/public_count_mean.hpp"
#include "vernier/interval/rows/mean.hpp"
#include "vernier/noise/integer_sampler.hpp"

namespace vernier::interval {
namespace {

using Sums = std::vector<std::int64_t>;
using noise::DiscreteGaussian;
using noise::Geometric;
using testing::law_at;
using testing::SampledPopulation;

constexpr double family_wise = 1e-6;  // that any cell of a grid is refuted although all intervals are right

// The scale in rows at epsilon and, of the Gaussian, about delta = 1e-8.
double scale_in_rows(const Geometric*, double epsilon) { return 1 / epsilon; }
double scale_in_rows(const DiscreteGaussian*, double epsilon) { return epsilon > 1 ? 0.8 : 5 / epsilon; }

noise::ValueRange places() { return *noise::ValueRange::of(*Real::of(0), *Real::of(1)); }

// An interval of places, from released sums of a sample of so many rows.
using Method = std::function<Interval(const Sums&, std::int64_t rows)>;
template <class Law>
using MethodFor = std::function<Method(const Law&, const MeanNodes&, double alpha)>;

template <class Law, Assurance assurance>
Method shipped(const Law& law, const MeanNodes& nodes, double alpha) {
  const auto inference =
      *PopulationMeanInference<Law>::of(law, nodes, places(), *Alpha::of(alpha), assurance, Design{});
  return [inference](const Sums& released, std::int64_t) { return inference.from(released)->interval; };
}

template <class Law, Assurance assurance>
Method shipped_with_count(const Law& law, const MeanNodes& nodes, double alpha) {
  const auto inference =
      *PublicCountPopulationMean<Law>::of(law, nodes, places(), *Alpha::of(alpha), assurance, Design{});
  return [inference](const Sums& released, std::int64_t rows) { return inference.from(released, rows)->interval; };
}

struct Grid {
  std::vector<std::int64_t> counts;
  std::vector<double> epsilons;
  std::vector<std::size_t> shapes;
  std::uint64_t trials;
  double alpha = 0.05;
  std::size_t cells() const { return counts.size() * epsilons.size() * shapes.size(); }
};

// Of so many samples with noise.
template <class Law>
std::uint64_t misses(const Law& law, const MeanNodes& nodes, const SampledPopulation& population, std::int64_t n,
                     const Method& method, std::uint64_t trials, std::uint64_t seed) {
  auto source = testing::seeded_source(seed);
  testing::SeededBits rows(seed + 1'000'000);
  Sums noise(trials * nodes.count());
  EXPECT_TRUE(noise::IntegerSampler<Law>(law).fill(source, noise));
  const double truth = population.mean() / static_cast<double>(nodes.steps());
  const bool is_constant = population.members.front() == population.members.back() && population.name == "constant";
  Sums sums = testing::sample_sums(population, nodes, n, rows);
  std::uint64_t count = 0;
  for (std::uint64_t i = 0; i < trials; ++i) {
    if (!is_constant && i > 0) sums = testing::sample_sums(population, nodes, n, rows);
    Sums released = sums;
    for (std::size_t node = 0; node < nodes.count(); ++node) released[node] += noise[i * nodes.count() + node];
    const Interval found = method(released, n);
    if (truth < found.low - 1e-12 || truth > found.high + 1e-12) ++count;
  }
  return count;
}

// How many cells refute that the method covers, at the false-alarm rate of all cells together.
template <class Law>
int refuted(const Grid& grid, const MeanNodes& nodes, const MethodFor<Law>& method_for) {
  const double level = 2 * family_wise / static_cast<double>(grid.cells());
  const auto allowed = testing::unsurprising_counts(grid.trials, grid.alpha, level).greatest;
  const auto populations = testing::populations(nodes.steps());
  int found = 0;
  std::uint64_t seed = 3000;
  for (const double epsilon : grid.epsilons) {
    const double rows = scale_in_rows(static_cast<const Law*>(nullptr), epsilon);
    const Law law = law_at<Law>(rows * static_cast<double>(nodes.weight()));
    const Method method = method_for(law, nodes, grid.alpha);
    for (const std::int64_t n : grid.counts) {
      for (const std::size_t shape : grid.shapes) {
        if (misses(law, nodes, populations[shape], n, method, grid.trials, ++seed) > allowed) ++found;
      }
    }
  }
  return found;
}

const std::vector<std::size_t> every_shape{0, 1, 2, 3, 4, 5, 6, 7};
const MeanNodes fine = *MeanNodes::moments(200, 200), rough = *MeanNodes::moments(500, 3);
const Grid normal_grid{{1, 5, 50, 500, 5000}, {0.1, 1, 8}, every_shape, 120};
const Grid small_grid{{1, 5, 50, 500}, {0.1, 1, 8}, every_shape, 40};
const Grid heavy_grid{{1, 2, 5, 20, 50, 200, 500, 5000}, {0.1, 0.3, 1, 3, 8, 50}, every_shape, 3000};
const Grid sharp_grid{{500}, {1, 8}, {0, 3}, 10'000};

template <class Law>
class SlowPopulationMean : public ::testing::Test {};
template <class Law>
class HeavyPopulationMean : public ::testing::Test {};
template <class Law>
class SlowPopulationMeanMutants : public ::testing::Test {};
using Laws = ::testing::Types<Geometric, DiscreteGaussian>;
TYPED_TEST_SUITE(SlowPopulationMean, Laws);
TYPED_TEST_SUITE(HeavyPopulationMean, Laws);
TYPED_TEST_SUITE(SlowPopulationMeanMutants, Laws);

TYPED_TEST(SlowPopulationMean, IsNowhereRefuted) {
  EXPECT_EQ(refuted<TypeParam>(normal_grid, fine, shipped<TypeParam, Assurance::usual>), 0);
  EXPECT_EQ(refuted<TypeParam>(small_grid, rough, shipped<TypeParam, Assurance::usual>), 0);
  EXPECT_EQ(refuted<TypeParam>(sharp_grid, fine, shipped<TypeParam, Assurance::usual>), 0);
}

TYPED_TEST(SlowPopulationMean, IsNowhereRefutedWhereItIsGuaranteed) {
  EXPECT_EQ(refuted<TypeParam>(small_grid, fine, shipped<TypeParam, Assurance::guaranteed>), 0);
}

TYPED_TEST(SlowPopulationMean, IsNowhereRefutedWithAPublicNumberOfRows) {
  EXPECT_EQ(refuted<TypeParam>(normal_grid, fine, shipped_with_count<TypeParam, Assurance::usual>), 0);
  EXPECT_EQ(refuted<TypeParam>({{500}, {1}, {3}, 10'000}, fine, shipped_with_count<TypeParam, Assurance::usual>), 0);
  EXPECT_EQ(
      refuted<TypeParam>({{5, 500}, {1}, every_shape, 60}, rough, shipped_with_count<TypeParam, Assurance::guaranteed>),
      0);
}

TYPED_TEST(HeavyPopulationMean, IsNowhereRefuted) {
  EXPECT_EQ(refuted<TypeParam>(heavy_grid, fine, shipped<TypeParam, Assurance::usual>), 0);
  EXPECT_EQ(refuted<TypeParam>(heavy_grid, fine, shipped_with_count<TypeParam, Assurance::usual>), 0);
}

TYPED_TEST(HeavyPopulationMean, IsNowhereRefutedWhereItIsGuaranteed) {
  Grid grid = heavy_grid;
  grid.trials = 300;
  EXPECT_EQ(refuted<TypeParam>(grid, rough, shipped<TypeParam, Assurance::guaranteed>), 0);
}

// ---- a finite population, of which a part is drawn without replacement

template <class Law>
std::uint64_t misses_of_part(double sampled, SampledPopulation population, double believed, std::uint64_t trials) {
  const Law law = law_at<Law>(0.2 * static_cast<double>(fine.weight()));
  const auto inference =
      *PopulationMeanInference<Law>::of(law, fine, places(), *Alpha::of(0.05), Assurance::usual, Design{believed, 1});
  const auto n = static_cast<std::size_t>(sampled * static_cast<double>(population.members.size()));
  const double truth = population.mean() / static_cast<double>(fine.steps());
  testing::SeededBits rows(n + 7);
  auto source = testing::seeded_source(n + 8);
  const noise::IntegerSampler<Law> sampler(law);
  std::uint64_t count = 0;
  for (std::uint64_t i = 0; i < trials; ++i) {
    Sums released = testing::sums_without_replacement(population, fine, n, rows);
    for (std::int64_t& sum : released) sum += *sampler.draw(source);
    const Interval found = inference.from(released)->interval;
    if (truth < found.low - 1e-12 || truth > found.high + 1e-12) ++count;
  }
  return count;
}

TYPED_TEST(SlowPopulationMean, IsNowhereRefutedWithAFinitePopulation) {
  constexpr std::uint64_t trials = 300;
  const auto allowed = testing::unsurprising_counts(trials, 0.05, 2 * family_wise / 24).greatest;
  for (const SampledPopulation& population : testing::populations(fine.steps())) {
    for (const double sampled : {0.02, 0.5, 0.9}) {
      EXPECT_LE(misses_of_part<TypeParam>(sampled, population, sampled, trials), allowed) << population.name << sampled;
    }
  }
  // Nine tenths believed where a half was drawn: found out.
  EXPECT_GT(misses_of_part<TypeParam>(0.5, testing::populations(fine.steps())[2], 0.9, trials), allowed);
}

// ---- intervals that are known to be wrong

template <class Law>
Method without_sampling_error(const Law& law, const MeanNodes& nodes, double alpha) {
  const auto inference = MeanInference<Law>::of(law, nodes, places(), *Alpha::of(alpha));
  return [inference](const Sums& released, std::int64_t) { return inference.from(released)->interval; };
}

TYPED_TEST(SlowPopulationMeanMutants, WithoutSamplingErrorAreRefuted) {
  EXPECT_GT(refuted<TypeParam>({{500, 5000}, {1, 8}, {0, 1, 2, 3}, 150}, fine, without_sampling_error<TypeParam>), 8);
}

template <class Law>
Method too_small(const Law& law, const MeanNodes& nodes, double alpha) {
  return shipped<Law, Assurance::usual>(law_at<Law>(law.scale() * 0.9), nodes, alpha);
}

// Where noise is nearly all there is, and alpha small.
const Grid noisy_grid{{50'000}, {0.01}, {6}, 20'000, 0.01};

TYPED_TEST(SlowPopulationMeanMutants, WithAScaleThatIsTooSmallAreRefuted) {
  EXPECT_EQ(refuted<TypeParam>(noisy_grid, fine, shipped<TypeParam, Assurance::usual>), 0);
  EXPECT_GT(refuted<TypeParam>(noisy_grid, fine, too_small<TypeParam>), 0);
}

// The test at one place alone, with a guard as large as is said: all places, or none.
template <class Law>
Interval tested_at(double truth, const SmoothedNoise<Law>& smoothed, double noise_of_squares, double guard,
                   const MeanNodes& nodes, const Sums& y) {
  const double weight = static_cast<double>(nodes.weight()), r = truth;
  const double y0 = static_cast<double>(y[0]), y1 = static_cast<double>(y[1]), y2 = static_cast<double>(y[2]);
  const double imbalance = std::abs(-r * y0 + (0.5 - r) * y1 + (1 - r) * y2);
  const double squares = r * r * y0 - r * (1 - r) * y1 + (1 - r) * (1 - r) * y2;
  const double farthest = std::max(r, 1 - r);
  const double variance = weight * (std::max(squares, 0.0) + noise_of_squares + guard * weight * farthest * farthest);
  const bool is_rejected = smoothed.rarely_reaches(variance, {r, std::abs(0.5 - r), 1 - r}, imbalance);
  return is_rejected ? Interval{2, 3} : Interval{0, 1};
}

template <class Law>
MethodFor<Law> guarded(double truth, double guard) {
  return [=](const Law& law, const MeanNodes& nodes, double alpha) -> Method {
    const auto smoothed = SmoothedNoise<Law>::of(law, *Probability::of(0.9 * alpha));
    const double r = truth;
    const double reach =
        CombinedNoise<Law>::of(law, *Alpha::of(0.2 * alpha), 3).reach({r * r, r * (1 - r), (1 - r) * (1 - r)});
    return [=](const Sums& y, std::int64_t) { return tested_at(truth, smoothed, reach, guard, nodes, y); };
  };
}

// A rare large value that was not drawn: with little noise nothing else tells of it.
TEST(SlowPopulationMeanGuard, IsNeededWhereNoiseIsSmall) {
  const Grid grid{{1000}, {200}, {5}, 6000};
  const double truth = testing::populations(fine.steps())[5].mean() / static_cast<double>(fine.steps());
  EXPECT_EQ(refuted<Geometric>(grid, fine, shipped<Geometric, Assurance::usual>), 0);
  EXPECT_EQ(refuted<Geometric>(grid, fine, guarded<Geometric>(truth, 2 * std::log(20))), 0);
  EXPECT_GT(refuted<Geometric>(grid, fine, guarded<Geometric>(truth, 0)), 0);
}

// The normal law of the same variance in place of the noise's own.
Method normal_for_geometric(const Geometric& law, const MeanNodes& nodes, double alpha) {
  const auto normal = law_at<DiscreteGaussian>(std::sqrt(law.variance().upper));
  return shipped<DiscreteGaussian, Assurance::usual>(normal, nodes, alpha);
}

TEST(SlowPopulationMeanOfGeometric, WithNormalForGeometricNoiseAreRefuted) {
  EXPECT_GT(refuted<Geometric>(noisy_grid, fine, normal_for_geometric), 0);
}

}  // namespace
}  // namespace vernier::interval
