// Whether the intervals of means cover: exactly, by summing over all noise, and by simulation with the samplers that
// ship; and whether intervals that are known to be wrong are found out in the same way.
#include <cmath>
#include <functional>
#include <vector>

#include <gtest/gtest.h>

#include "statistics.hpp"
#include "support/integer_laws.hpp"
#include "support/seeded_bits.hpp"
#include "vernier/interval/rows/mean.hpp"

namespace vernier::interval {
namespace {

using Sums = std::vector<std::int64_t>;
using noise::DiscreteGaussian;
using noise::Geometric;
using testing::law_at;

// The scale, in rows, at epsilon and delta = 1e-8: one unsplit spend.
double scale_in_rows(const Geometric*, double epsilon) { return 1 / epsilon; }
double scale_in_rows(const DiscreteGaussian*, double epsilon) { return epsilon == 1 ? 5.087 : 5.087 / epsilon * 0.92; }

noise::ValueRange unit_bounds() { return *noise::ValueRange::of(*Real::of(-1), *Real::of(1)); }

// Rows all at k, n of them.
struct Data {
  MeanNodes nodes;
  std::int64_t n, k;
  double mean() const { return 2.0 * static_cast<double>(k) / static_cast<double>(nodes.steps()) - 1; }
  Sums with(std::span<const std::int64_t> noise) const {
    Sums released;
    for (std::size_t i = 0; i < nodes.count(); ++i) released.push_back(n * nodes.row(k)[i] + noise[i]);
    return released;
  }
  bool is_missed_by(const Interval& found) const { return n > 0 && !found.contains(mean()); }
};

// An interval from released sums.
using Method = std::function<Interval(const Sums&)>;

template <class Law>
Method shipped(const Law& law, const MeanNodes& nodes, double alpha) {
  const auto inference = MeanInference<Law>::of(law, nodes, unit_bounds(), *Alpha::of(alpha));
  return [inference](const Sums& released) { return inference.from(released)->interval; };
}

// ---- exactly, by summing over all noise of two sums

template <class Law>
double missed(const Law& law, const Data& data, const Method& method) {
  const std::int64_t reach = *law.two_sided_quantile(*Probability::of(1e-6));
  double sum = 2 * law.outside(reach).upper;  // what is not looked at counts as missed
  for (std::int64_t x = -reach; x <= reach; ++x) {
    for (std::int64_t y = -reach; y <= reach; ++y) {
      const std::int64_t noise[] = {x, y};
      if (data.is_missed_by(method(data.with(noise)))) sum += law.mass(x).upper * law.mass(y).upper;
    }
  }
  return sum;
}

template <class Law>
void expect_exact_coverage(double scale, double alpha, std::int64_t steps, std::initializer_list<std::int64_t> counts) {
  const Law law = law_at<Law>(scale);
  const MeanNodes nodes = *MeanNodes::of(Basis::two, steps);
  const Method method = shipped(law, nodes, alpha);
  for (const std::int64_t n : counts) {
    for (std::int64_t k = 0; 2 * k <= steps; ++k) {
      EXPECT_LE(missed(law, {nodes, n, k}, method), alpha)
          << "scale " << scale << " alpha " << alpha << " steps " << steps << " n " << n << " k " << k;
    }
  }
}

TEST(MeanCoverage, IsAtLeastWhatItSaysByExactSums) {
  expect_exact_coverage<Geometric>(0.7, 0.05, 2, {1, 2, 20});
  expect_exact_coverage<Geometric>(1, 0.2, 1, {1, 3, 30});
  expect_exact_coverage<DiscreteGaussian>(0.8, 0.05, 2, {1, 2, 20});
  expect_exact_coverage<DiscreteGaussian>(2, 0.1, 1, {1, 3, 30});
  EXPECT_FALSE(HasFailure());
}

TEST(HeavyMeanCoverage, IsAtLeastWhatItSaysByExactSums) {
  for (const double scale : {0.3, 0.7, 1.0, 2.0, 4.0}) {
    for (const double alpha : {0.01, 0.05, 0.2}) {
      expect_exact_coverage<Geometric>(scale, alpha, 4, {1, 2, 5, 20});
      expect_exact_coverage<DiscreteGaussian>(scale, alpha, 4, {1, 2, 5, 20});
    }
  }
  EXPECT_FALSE(HasFailure());
}

// ---- by simulation

template <class Law>
std::uint64_t misses(const Law& law, const Data& data, const Method& method, std::uint64_t trials, std::uint64_t seed) {
  auto source = vernier::testing::seeded_source(seed);
  Sums noise(trials * data.nodes.count());
  EXPECT_TRUE(noise::IntegerSampler<Law>(law).fill(source, noise));
  std::uint64_t count = 0;
  for (std::uint64_t i = 0; i < trials; ++i) {
    const std::span<const std::int64_t> each(&noise[i * data.nodes.count()], data.nodes.count());
    if (data.is_missed_by(method(data.with(each)))) ++count;
  }
  return count;
}

struct Grid {
  std::vector<std::int64_t> counts;
  std::vector<double> means;
  std::vector<double> epsilons;
  std::vector<std::int64_t> steps;
};

// How many cells refute that the method covers 95 %, at the false-alarm rate of all cells together.
template <class Law>
int refuted(Basis basis, const Grid& grid, std::uint64_t trials,
            const std::function<Method(const Law&, const MeanNodes&)>& method_for) {
  const auto cells =
      static_cast<double>(grid.counts.size() * grid.means.size() * grid.epsilons.size() * grid.steps.size());
  const auto allowed =
      vernier::testing::unsurprising_counts(trials, 0.05, 2 * vernier::testing::false_alarm / cells).greatest;
  int found = 0;
  std::uint64_t seed = 1000;
  for (const double epsilon : grid.epsilons) {
    for (const std::int64_t steps : grid.steps) {
      const MeanNodes nodes = *MeanNodes::of(basis, steps);
      const double rows = scale_in_rows(static_cast<const Law*>(nullptr), epsilon);
      const Law law = law_at<Law>(rows * static_cast<double>(nodes.weight()));
      const Method method = method_for(law, nodes);
      for (const std::int64_t n : grid.counts) {
        for (const double mean : grid.means) {
          const Data data{nodes, n, std::llround((1 + mean) / 2 * static_cast<double>(steps))};
          if (misses(law, data, method, trials, ++seed) > allowed) ++found;
        }
      }
    }
  }
  return found;
}

template <class Law>
Method honest(const Law& law, const MeanNodes& nodes) {
  return shipped(law, nodes, 0.05);
}

const Grid normal_grid{{0, 1, 2, 5, 20, 1000}, {-1, -0.5, 0, 0.9, 1}, {0.1, 1}, {1, 20, 2000}};
const Grid heavy_grid{{0, 1, 2, 5, 20, 100, 1000, 10000}, {-1, -0.5, 0, 0.5, 0.9, 1}, {0.01, 0.1, 1}, {1, 20, 2000}};

template <class Law>
class SlowMeanCoverage : public ::testing::Test {};
template <class Law>
class HeavyMeanSimulation : public ::testing::Test {};
template <class Law>
class SlowMeanMutants : public ::testing::Test {};
using Laws = ::testing::Types<Geometric, DiscreteGaussian>;
TYPED_TEST_SUITE(SlowMeanCoverage, Laws);
TYPED_TEST_SUITE(HeavyMeanSimulation, Laws);
TYPED_TEST_SUITE(SlowMeanMutants, Laws);

TYPED_TEST(SlowMeanCoverage, IsNowhereRefuted) {
  EXPECT_EQ(refuted<TypeParam>(Basis::two, normal_grid, 400, honest<TypeParam>), 0);
  EXPECT_EQ(refuted<TypeParam>(Basis::bernstein, {{1, 5, 1000}, {0, 1}, {1}, {20}}, 500, honest<TypeParam>), 0);
  EXPECT_EQ(refuted<TypeParam>(Basis::lagrange, {{1, 5, 1000}, {0, 1}, {1}, {20}}, 500, honest<TypeParam>), 0);
}

// Nor is it wasteful: with rows enough for a set without gaps, misses are as frequent as alpha allows.
TYPED_TEST(SlowMeanCoverage, IsNotTooLarge) {
  constexpr std::uint64_t trials = 10000;
  const MeanNodes nodes = *MeanNodes::of(Basis::two, 2000);
  const TypeParam law = law_at<TypeParam>(2000 * scale_in_rows(static_cast<const TypeParam*>(nullptr), 1));
  const auto expected = vernier::testing::unsurprising_counts(trials, 0.05, vernier::testing::false_alarm);
  const std::uint64_t count = misses(law, {nodes, 1000, 1200}, honest<TypeParam>(law, nodes), trials, 77);
  EXPECT_GE(count, expected.least);
  EXPECT_LE(count, expected.greatest);
}

TYPED_TEST(HeavyMeanSimulation, OfTwoSumsIsNowhereRefuted) {
  EXPECT_EQ(refuted<TypeParam>(Basis::two, heavy_grid, 4000, honest<TypeParam>), 0);
}

TYPED_TEST(HeavyMeanSimulation, OfThreeSumsIsNowhereRefuted) {
  EXPECT_EQ(refuted<TypeParam>(Basis::bernstein, heavy_grid, 1000, honest<TypeParam>), 0);
  EXPECT_EQ(refuted<TypeParam>(Basis::lagrange, heavy_grid, 1000, honest<TypeParam>), 0);
}

// ---- intervals that are known to be wrong

double size_of_noise(const Geometric& law) { return law.scale() * std::log(20); }
double size_of_noise(const DiscreteGaussian& law) { return law.scale() * 1.96; }
double deviation(const Geometric& law) { return law.scale() * std::sqrt(2); }
double deviation(const DiscreteGaussian& law) { return law.scale(); }

struct Ratio {
  double rows, mean;  // rows in units of the nodes, at least one row
};
Ratio ratio_of(const MeanNodes& nodes, const Sums& released) {
  const double rows = std::max(static_cast<double>(released[0] + released[1]), static_cast<double>(nodes.weight()));
  return {rows, std::clamp(static_cast<double>(released[1] - released[0]) / rows, -1.0, 1.0)};
}

// 1.96 standard errors of the first-order expansion.
template <class Law>
Method delta_method(const Law& law, const MeanNodes& nodes) {
  return [=](const Sums& released) {
    const Ratio ratio = ratio_of(nodes, released);
    const double half = 1.96 * deviation(law) * std::sqrt(2 * (1 + ratio.mean * ratio.mean)) / ratio.rows;
    return Interval{ratio.mean - half, ratio.mean + half};
  };
}

// The released number of rows taken for the true one.
template <class Law>
Method plug_in(const Law& law, const MeanNodes& nodes) {
  return [=](const Sums& released) {
    const Ratio ratio = ratio_of(nodes, released);
    const double half = size_of_noise(law) * std::sqrt(2) / ratio.rows;
    return Interval{ratio.mean - half, ratio.mean + half};
  };
}

// The right test, but its set looked for outward from the estimate, as if it had to be an interval around it.
template <class Law>
Method bisecting(const Law& law, const MeanNodes& nodes) {
  const auto noise = CombinedNoise<Law>::of(law, *Alpha::of(0.05), 2);
  return [=](const Sums& released) {
    const auto keeps = [&](double r) {
      const double place = (1 + r) / 2;
      const double t = (1 - place) * static_cast<double>(released[1]) - place * static_cast<double>(released[0]);
      return !noise.rarely_reaches({{place, 1 - place, 0}, {place, 1 - place, 0}}, std::abs(t));
    };
    const auto outward = [&](double kept, double end) {
      double away = kept;  // in growing steps until something is rejected
      for (double step = 0.01; keeps(away); step *= 2) {
        if (away == end) return end;
        kept = away;
        away = std::clamp(kept + std::copysign(step, end), -1.0, 1.0);
      }
      for (int step = 0; step < 30; ++step) {
        const double middle = (kept + away) / 2;
        (keeps(middle) ? kept : away) = middle;
      }
      return away;
    };
    const double estimate = ratio_of(nodes, released).mean;
    return Interval{outward(estimate, -1), outward(estimate, 1)};
  };
}

template <class Law>
Method too_small(const Law& law, const MeanNodes& nodes) {
  return shipped(law_at<Law>(law.scale() * 0.9), nodes, 0.05);
}

TYPED_TEST(SlowMeanMutants, OfFirstOrderAreRefuted) {
  EXPECT_GT(refuted<TypeParam>(Basis::two, normal_grid, 20000, delta_method<TypeParam>), 0);
  EXPECT_GT(refuted<TypeParam>(Basis::two, normal_grid, 20000, plug_in<TypeParam>), 0);
}

TYPED_TEST(SlowMeanMutants, ThatBisectOutwardAreRefutedAtOneRow) {
  EXPECT_GT(refuted<TypeParam>(Basis::two, {{1}, {-1, -0.5, 0, 0.9, 1}, {0.1, 1}, {2000}}, 20000, bisecting<TypeParam>),
            0);
}

TYPED_TEST(SlowMeanMutants, WithAScaleThatIsTooSmallAreRefuted) {
  EXPECT_GT(refuted<TypeParam>(Basis::two, {{1000}, {0}, {1}, {2000}}, 10000, too_small<TypeParam>), 0);
}

}  // namespace
}  // namespace vernier::interval
