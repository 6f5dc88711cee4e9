// Whether the intervals of variances and standard deviations cover: exactly, by summing over all noise, and by
// simulation with the samplers that ship; and whether intervals that are known to be wrong are found out likewise.
#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include <gtest/gtest.h>

#include "statistics.hpp"
#include "support/integer_laws.hpp"
#include "support/seeded_bits.hpp"
#include "vernier/interval/rows/variance.hpp"
#include "vernier/noise/integer_sampler.hpp"

namespace vernier::interval {
namespace {

using Sums = std::vector<std::int64_t>;
using noise::DiscreteGaussian;
using noise::Geometric;
using testing::law_at;

constexpr double alpha = 0.05;
constexpr SpreadForm population{Divisor::rows, false}, sample{Divisor::rows_less_one, false};
constexpr SpreadForm population_root{Divisor::rows, true}, sample_root{Divisor::rows_less_one, true};

// The scale in rows at epsilon and, of the Gaussian, about delta = 1e-8.
double scale_in_rows(const Geometric*, double epsilon) { return 1 / epsilon; }
double scale_in_rows(const DiscreteGaussian*, double epsilon) { return epsilon > 1 ? 1.3 : 5 / epsilon; }

// Rows between 0 and the steps of the nodes; range 1.
struct Data {
  MeanNodes nodes;
  Sums rows;

  Sums sums() const {
    Sums found(3);
    for (const std::int64_t k : rows) {
      const auto row = nodes.row(k);
      for (std::size_t i = 0; i < 3; ++i) found[i] += row[i];
    }
    return found;
  }
  bool has_spread(SpreadForm form) const { return rows.size() >= (form.divisor == Divisor::rows ? 1 : 2); }
  double spread(SpreadForm form) const {
    const auto n = static_cast<double>(rows.size()), steps = static_cast<double>(nodes.steps());
    double mean = 0, squares = 0;
    for (const std::int64_t k : rows) mean += static_cast<double>(k) / steps / n;
    for (const std::int64_t k : rows) squares += std::pow(static_cast<double>(k) / steps - mean, 2);
    const double variance = squares / (form.divisor == Divisor::rows ? n : n - 1);
    return form.is_root ? std::sqrt(variance) : variance;
  }
};

// The statistic is computed here with rounding errors of its own.
bool misses(const Interval& found, double truth) {
  return truth < found.low * (1 - 1e-12) - 1e-13 || truth > found.high * (1 + 1e-12) + 1e-13;
}

// An interval from released sums.
using Method = std::function<Interval(const Sums&)>;

template <class Law>
Method shipped(const Law& law, const MeanNodes& nodes, SpreadForm form) {
  const auto inference = *SpreadInference<Law>::of(law, nodes, *Real::of(1), *Alpha::of(alpha), form);
  return [inference](const Sums& released) { return inference.from(released)->interval; };
}

// ---- exactly, by summing over all noise of three sums

template <class Law>
double missed_mass(const Law& law, const Data& data, SpreadForm form) {
  const std::int64_t reach = *law.two_sided_quantile(*Probability::of(1e-4));
  const Method method = shipped(law, data.nodes, form);
  const Sums exact = data.sums();
  const double truth = data.spread(form);
  double sum = 3 * law.outside(reach).upper;  // what is not looked at counts as missed
  for (std::int64_t x = -reach; x <= reach; ++x) {
    for (std::int64_t y = -reach; y <= reach; ++y) {
      for (std::int64_t z = -reach; z <= reach; ++z) {
        if (!misses(method({exact[0] + x, exact[1] + y, exact[2] + z}), truth)) continue;
        sum += law.mass(x).upper * law.mass(y).upper * law.mass(z).upper;
      }
    }
  }
  return sum;
}

template <class Law>
void expect_exact_coverage(double scale, const MeanNodes& nodes, const std::vector<Sums>& tables) {
  for (const Sums& rows : tables) {
    const Data data{nodes, rows};
    for (const SpreadForm form : {population, sample}) {
      if (!data.has_spread(form)) continue;
      EXPECT_LE(missed_mass(law_at<Law>(scale), data, form), alpha)
          << "scale " << scale << " steps " << nodes.steps() << " rows " << rows.size();
    }
  }
}

TEST(VarianceCoverage, IsAtLeastWhatItSaysByExactSums) {
  const MeanNodes two = *MeanNodes::of(Basis::bernstein, 2), rounded = *MeanNodes::moments(3, 2);
  expect_exact_coverage<Geometric>(0.5, two, {{0}, {1, 1, 2}, Sums(20, 1)});
  expect_exact_coverage<Geometric>(0.5, rounded, {{1, 2}, {0, 0, 1, 3, 3, 3, 3, 3, 3, 2}});
  expect_exact_coverage<DiscreteGaussian>(1, two, {{2}, {0, 2}, {0, 0, 0, 0, 0, 0, 0, 1, 1, 2}});
  expect_exact_coverage<DiscreteGaussian>(1, rounded, {{1, 2}, {0, 0, 1, 3, 3, 3, 3, 3, 3, 2}});
  EXPECT_FALSE(HasFailure());
}

TEST(HeavyVarianceCoverage, IsAtLeastWhatItSaysByExactSums) {
  for (const std::int64_t fineness : {1, 2, 3, 6}) {
    const MeanNodes nodes = *MeanNodes::moments(3, fineness);
    for (const double scale : {0.3, 0.8, 1.5}) {
      const std::vector<Sums> tables{{0}, {2}, {0, 3}, {1, 1, 2}, Sums(10, 1), {0, 0, 0, 0, 1, 3, 3, 3, 3, 3}};
      expect_exact_coverage<Geometric>(scale, nodes, tables);
      expect_exact_coverage<DiscreteGaussian>(scale, nodes, tables);
    }
  }
  EXPECT_FALSE(HasFailure());
}

// ---- by simulation

template <class Law>
std::uint64_t misses(const Law& law, const Data& data, SpreadForm form, const Method& method, std::uint64_t trials,
                     std::uint64_t seed) {
  auto source = vernier::testing::seeded_source(seed);
  Sums noise(trials * 3);
  EXPECT_TRUE(noise::IntegerSampler<Law>(law).fill(source, noise));
  const Sums exact = data.sums();
  const double truth = data.spread(form);
  std::uint64_t count = 0;
  for (std::uint64_t i = 0; i < trials; ++i) {
    const std::int64_t* each = &noise[3 * i];
    if (misses(method({exact[0] + each[0], exact[1] + each[1], exact[2] + each[2]}), truth)) ++count;
  }
  return count;
}

// Four shapes: everybody in one place, half at either bound, evenly spread, most at the lower bound and a few far up.
Sums rows_of(int shape, std::int64_t n, std::int64_t steps) {
  Sums rows;
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t even = n == 1 ? steps / 3 : i * steps / (n - 1);
    rows.push_back(shape == 0   ? steps / 3
                   : shape == 1 ? (i % 2) * steps
                   : shape == 2 ? even
                                : (i % 10 == 0 ? steps - even / 8 : even / 50));
  }
  return rows;
}

struct Grid {
  std::vector<std::int64_t> counts;
  std::vector<int> shapes;
  std::vector<double> epsilons;
  std::vector<MeanNodes> nodes;
  std::vector<SpreadForm> forms;
  std::size_t cells() const { return counts.size() * shapes.size() * epsilons.size() * nodes.size() * forms.size(); }
};

// How many cells refute that the method covers 95 %, at the false-alarm rate of all cells together.
template <class Law>
int refuted(const Grid& grid, std::uint64_t trials,
            const std::function<Method(const Law&, const MeanNodes&, SpreadForm)>& method_for) {
  const double level = 2 * vernier::testing::false_alarm / static_cast<double>(grid.cells());
  const auto allowed = vernier::testing::unsurprising_counts(trials, alpha, level).greatest;
  int found = 0;
  std::uint64_t seed = 2000;
  for (const double epsilon : grid.epsilons) {
    for (const MeanNodes& nodes : grid.nodes) {
      const Law law =
          law_at<Law>(scale_in_rows(static_cast<const Law*>(nullptr), epsilon) * static_cast<double>(nodes.weight()));
      for (const SpreadForm form : grid.forms) {
        const Method method = method_for(law, nodes, form);
        for (const std::int64_t n : grid.counts) {
          for (const int shape : grid.shapes) {
            const Data data{nodes, rows_of(shape, n, nodes.steps())};
            if (!data.has_spread(form)) continue;
            if (misses(law, data, form, method, trials, ++seed) > allowed) ++found;
          }
        }
      }
    }
  }
  return found;
}

const MeanNodes fine = *MeanNodes::moments(1000, 1000), rough = *MeanNodes::moments(500, 3);
const MeanNodes yes_or_no = *MeanNodes::moments(1, 1024);
const std::vector<SpreadForm> every_form{population, sample, population_root, sample_root};
const Grid normal_grid{{1, 5, 50, 5000}, {0, 1, 2, 3}, {0.05, 0.5, 5}, {fine, rough}, {population, sample_root}};
const Grid heavy_grid{
    {1, 2, 3, 5, 20, 50, 300, 5000}, {0, 1, 2, 3}, {0.05, 0.5, 1, 5}, {fine, rough, yes_or_no}, every_form};
const Grid sharp_grid{{5000}, {2}, {1}, {fine}, {population, sample_root}};

template <class Law>
class SlowVarianceCoverage : public ::testing::Test {};
template <class Law>
class HeavyVarianceSimulation : public ::testing::Test {};
template <class Law>
class SlowVarianceMutants : public ::testing::Test {};
using Laws = ::testing::Types<Geometric, DiscreteGaussian>;
TYPED_TEST_SUITE(SlowVarianceCoverage, Laws);
TYPED_TEST_SUITE(HeavyVarianceSimulation, Laws);
TYPED_TEST_SUITE(SlowVarianceMutants, Laws);

TYPED_TEST(SlowVarianceCoverage, IsNowhereRefuted) {
  EXPECT_EQ(refuted<TypeParam>(normal_grid, 120, shipped<TypeParam>), 0);
  EXPECT_EQ(refuted<TypeParam>(sharp_grid, 10'000, shipped<TypeParam>), 0);
}

// Of no rows every number is right: what is looked at is that nothing but the bounds is told, nearly always.
TYPED_TEST(SlowVarianceCoverage, TellsNothingOfNoRows) {
  const auto law = law_at<TypeParam>(static_cast<double>(fine.weight()));
  const Method method = shipped(law, fine, population);
  auto source = vernier::testing::seeded_source(7);
  Sums noise(3 * 2000);
  ASSERT_TRUE(noise::IntegerSampler<TypeParam>(law).fill(source, noise));
  int told = 0;
  for (std::size_t i = 0; i < noise.size(); i += 3) {
    const Interval found = method({noise[i], noise[i + 1], noise[i + 2]});
    told += found.low > 0 || found.high < 0.25 ? 1 : 0;
  }
  EXPECT_LE(told, 160);  // 5 % and 6 standard errors
}

// Nor is it wasteful: with many rows misses are nearly as frequent as the 0.045 that the squares are left.
TYPED_TEST(SlowVarianceCoverage, IsNotTooLarge) {
  constexpr std::uint64_t trials = 10'000;
  const auto law = law_at<TypeParam>(2 * static_cast<double>(fine.weight()));
  const Data data{fine, rows_of(2, 5000, fine.steps())};
  const auto expected = vernier::testing::unsurprising_counts(trials, 0.045, vernier::testing::false_alarm);
  EXPECT_GE(misses(law, data, population, shipped(law, fine, population), trials, 78), expected.least);
}

TYPED_TEST(HeavyVarianceSimulation, IsNowhereRefuted) {
  EXPECT_EQ(refuted<TypeParam>(heavy_grid, 1000, shipped<TypeParam>), 0);
}

// ---- intervals that are known to be wrong

double deviation(const Geometric& law) { return law.scale() * std::sqrt(2); }
double deviation(const DiscreteGaussian& law) { return law.scale(); }

// 1.96 standard errors of the first-order expansion.
template <class Law>
Method delta_method(const Law& law, const MeanNodes& nodes, SpreadForm form) {
  return [=](const Sums& y) {
    const auto weight = static_cast<double>(nodes.weight());
    const double one = form.divisor == Divisor::rows ? 0 : weight;
    const double total = std::max(static_cast<double>(y[0] + y[1] + y[2]), weight + one);
    const double r = std::clamp((static_cast<double>(y[2]) + static_cast<double>(y[1]) / 2) / total, 0.0, 1.0);
    const double squares = static_cast<double>(y[2]) * (1 - r) * (1 - r) - static_cast<double>(y[1]) * r * (1 - r) +
                           static_cast<double>(y[0]) * r * r;
    const double v = std::clamp(squares / (total - one), 0.0, greatest_variance(form.divisor));
    const double norm = std::hypot(r * r - v, r * (1 - r) + v, (1 - r) * (1 - r) - v);
    const double half = 1.96 * deviation(law) * norm / (total - one);
    const Interval found{std::max(v - half, 0.0), v + half};
    return form.is_root ? Interval{std::sqrt(found.low), std::sqrt(found.high)} : found;
  };
}

template <class Law>
Method too_small(const Law& law, const MeanNodes& nodes, SpreadForm form) {
  return shipped(law_at<Law>(law.scale() * 0.9), nodes, form);
}

TYPED_TEST(SlowVarianceMutants, OfFirstOrderAreRefuted) {
  EXPECT_GT(refuted<TypeParam>(normal_grid, 20'000, delta_method<TypeParam>), 0);
}

TYPED_TEST(SlowVarianceMutants, WithAScaleThatIsTooSmallAreRefuted) {
  EXPECT_GT(refuted<TypeParam>(sharp_grid, 20'000, too_small<TypeParam>), 0);
}

}  // namespace
}  // namespace vernier::interval
