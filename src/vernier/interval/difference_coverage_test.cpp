// Whether intervals of differences cover, the rows' own and the population's, by simulation with the samplers that
// ship; and whether those that are known to be wrong are found out, MOVER above all.
#include <cmath>
#include <functional>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "statistics.hpp"
#include "support/integer_laws.hpp"
#include "support/populations.hpp"
#include "support/seeded_bits.hpp"
#include "vernier/interval/difference.hpp"
#include "vernier/interval/population/mean.hpp"
#include "vernier/noise/integer_sampler.hpp"

namespace vernier::interval {
namespace {

using noise::DiscreteGaussian;
using noise::Geometric;
using testing::law_at;
using testing::Population;
using testing::scale_in_rows;
using Sums = std::vector<std::int64_t>;
// An interval of the difference from what was released of either group.
using Method = std::function<Interval(const Sums&, const Sums&)>;

constexpr double alpha = 0.05;

noise::ValueRange unit_bounds() { return *noise::ValueRange::of(*Real::of(0), *Real::of(1)); }

template <class Law>
Method shipped(const Law& law, const MeanNodes& nodes) {
  const auto inference = *mean_difference(law, nodes, unit_bounds(), *Alpha::of(alpha));
  return [inference](const Sums& north, const Sums& south) { return inference.from(north, south)->interval; };
}

template <class Law>
Method too_small(const Law& law, const MeanNodes& nodes) {
  return shipped(law_at<Law>(law.scale() * 0.5), nodes);
}

// Zou and Donner 2008: the square root of summed squared distances to the clipped limits of either group.
template <class Law>
Method mover(const Law& law, const MeanNodes& nodes) {
  const auto each = MeanInference<Law>::of(law, nodes, unit_bounds(), *Alpha::of(alpha));
  return [each](const Sums& north, const Sums& south) {
    const MeanInterval a = *each.from(north), b = *each.from(south);
    const double estimate = a.value - b.value;
    return Interval{estimate - std::hypot(a.value - a.interval.low, b.interval.high - b.value),
                    estimate + std::hypot(a.interval.high - a.value, b.value - b.interval.low)};
  };
}

struct Group {
  std::int64_t n, k;  // rows, and where all of them are; of none, any place must be covered
};

// Two groups, each with noise of its own.
template <class Law>
std::uint64_t misses(const Law& law, const MeanNodes& nodes, const Group& north, const Group& south,
                     const Method& method, std::uint64_t trials, std::uint64_t seed) {
  auto source = vernier::testing::seeded_source(seed);
  Sums noise(4 * trials);
  EXPECT_TRUE(noise::IntegerSampler<Law>(law).fill(source, noise));
  const auto released = [&](const Group& group, std::size_t at) {
    return Sums{group.n * nodes.row(group.k)[0] + noise[at], group.n * nodes.row(group.k)[1] + noise[at + 1]};
  };
  const double truth = static_cast<double>(north.k - south.k) / static_cast<double>(nodes.steps());
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < noise.size(); i += 4) {
    count += method(released(north, i), released(south, i + 2)).contains(truth) ? 0 : 1;
  }
  return count;
}

struct Grid {
  std::vector<std::int64_t> norths, souths;
  std::vector<double> epsilons;
};

// How many cells refute that the method covers 95 %, at the false-alarm rate of all cells together.
template <class Law>
int refuted(const Grid& grid, std::uint64_t trials, Method (*method_for)(const Law&, const MeanNodes&)) {
  const MeanNodes nodes = *MeanNodes::of(Basis::two, 100);
  const std::vector<std::pair<std::int64_t, std::int64_t>> places{{50, 50}, {0, 100}, {0, 0}, {90, 40}};
  const double cells =
      static_cast<double>(places.size() * grid.norths.size() * grid.souths.size() * grid.epsilons.size());
  const auto allowed = vernier::testing::unsurprising_counts(trials, alpha, 2e-6 / cells).greatest;
  int found = 0;
  std::uint64_t seed = 4000;
  for (const double epsilon : grid.epsilons) {
    const Law law = law_at<Law>(100 * scale_in_rows(static_cast<const Law*>(nullptr), epsilon));
    const Method method = method_for(law, nodes);
    for (const std::int64_t north : grid.norths) {
      for (const std::int64_t south : grid.souths) {
        for (const auto& [a, b] : places) {
          if (misses(law, nodes, {north, a}, {south, b}, method, trials, ++seed) > allowed) ++found;
        }
      }
    }
  }
  return found;
}

template <class Law>
class SlowDifferenceCoverage : public ::testing::Test {};
template <class Law>
class HeavyDifferenceCoverage : public ::testing::Test {};
using Laws = ::testing::Types<Geometric, DiscreteGaussian>;
TYPED_TEST_SUITE(SlowDifferenceCoverage, Laws);
TYPED_TEST_SUITE(HeavyDifferenceCoverage, Laws);

TYPED_TEST(SlowDifferenceCoverage, OfMeansIsNowhereRefuted) {
  EXPECT_EQ(refuted<TypeParam>({{1, 100}, {0, 1, 20, 1000}, {1}}, 100, shipped<TypeParam>), 0);
}

TYPED_TEST(HeavyDifferenceCoverage, OfMeansIsNowhereRefuted) {
  EXPECT_EQ(refuted<TypeParam>({{1, 5, 100, 1000}, {0, 1, 20, 1000}, {0.1, 1}}, 600, shipped<TypeParam>), 0);
}

TYPED_TEST(SlowDifferenceCoverage, OfMeansByMoverIsRefuted) {
  EXPECT_GT(refuted<TypeParam>({{1}, {1, 20}, {1}}, 200, mover<TypeParam>), 0);
}

TYPED_TEST(SlowDifferenceCoverage, OfMeansWithHalfTheNoiseIsRefuted) {
  EXPECT_GT(refuted<TypeParam>({{1000}, {1000}, {1}}, 600, too_small<TypeParam>), 0);
}

// ---- populations

Sums released_of(const Population& population, std::int64_t n, const MeanNodes& nodes, std::mt19937_64& random,
                 std::span<const std::int64_t> noise) {
  const Sums counts = population.sample(n, random);
  Sums sums(noise.begin(), noise.end());
  for (std::size_t k = 0; k < counts.size(); ++k) {
    const auto row = nodes.row(static_cast<std::int64_t>(k));
    for (std::size_t i = 0; i < 3; ++i) sums[i] += counts[k] * row[i];
  }
  return sums;
}

template <class Law>
std::uint64_t population_misses(const Method& method, const Law& law, const MeanNodes& nodes, const Population& north,
                                const Population& south, std::int64_t n, std::uint64_t trials, std::uint64_t seed) {
  auto source = vernier::testing::seeded_source(seed);
  std::mt19937_64 random(seed);
  Sums noise(6 * trials);
  EXPECT_TRUE(noise::IntegerSampler<Law>(law).fill(source, noise));
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < noise.size(); i += 6) {
    const Sums a = released_of(north, n, nodes, random, std::span(noise).subspan(i, 3));
    const Sums b = released_of(south, 2 * n, nodes, random, std::span(noise).subspan(i + 3, 3));
    count += method(a, b).contains(north.mean() - south.mean()) ? 0 : 1;
  }
  return count;
}

template <class Law>
Method of_population(const Law& law, const MeanNodes& nodes, Assurance assurance) {
  const auto inference = *population_mean_difference(law, nodes, unit_bounds(), *Alpha::of(alpha), assurance, Design{});
  return [inference](const Sums& north, const Sums& south) { return inference.from(north, south)->interval; };
}

template <class Law>
int refuted_populations(const std::function<Method(const Law&, const MeanNodes&)>& method_for,
                        const std::vector<std::int64_t>& numbers, std::uint64_t trials) {
  const MeanNodes nodes = *MeanNodes::moments(40, 40);
  const std::vector<Population> shapes = testing::all_shapes(40);
  const double cells = static_cast<double>(numbers.size() * shapes.size());
  const auto allowed = vernier::testing::unsurprising_counts(trials, alpha, 2e-6 / cells).greatest;
  const Law law = law_at<Law>(static_cast<double>(nodes.weight()) * scale_in_rows(static_cast<const Law*>(nullptr), 3));
  const Method method = method_for(law, nodes);
  int found = 0;
  for (const std::int64_t n : numbers) {
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      const Population& other = shapes[(i + 2) % shapes.size()];
      if (population_misses(method, law, nodes, shapes[i], other, n, trials, 50 * i + 7) > allowed) ++found;
    }
  }
  return found;
}

TYPED_TEST(SlowDifferenceCoverage, OfPopulationMeansIsNowhereRefuted) {
  const auto usual = [](const TypeParam& law, const MeanNodes& nodes) {
    return of_population(law, nodes, Assurance::usual);
  };
  EXPECT_EQ(refuted_populations<TypeParam>(usual, {30, 500}, 80), 0);
}

TYPED_TEST(SlowDifferenceCoverage, OfPopulationMeansWithoutSamplingErrorIsRefuted) {
  EXPECT_GT(refuted_populations<TypeParam>(shipped<TypeParam>, {5000}, 60), 0);
}

TYPED_TEST(HeavyDifferenceCoverage, OfPopulationMeansIsNowhereRefuted) {
  for (const Assurance assurance : {Assurance::usual, Assurance::guaranteed}) {
    const auto method = [&](const TypeParam& law, const MeanNodes& nodes) {
      return of_population(law, nodes, assurance);
    };
    EXPECT_EQ(refuted_populations<TypeParam>(method, {30, 500, 5000}, 150), 0);
  }
}

}  // namespace
}  // namespace vernier::interval
