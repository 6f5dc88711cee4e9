// Whether the intervals of a population's quantiles cover: exactly, by summing over all samples and all pairs of ends,
// and by simulation with the sampler that ships; and whether those of the rows are found out.
#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "statistics.hpp"
#include "support/missed_ends.hpp"
#include "support/populations.hpp"
#include "support/seeded_bits.hpp"
#include "vernier/interval/population/quantile.hpp"
#include "vernier/noise/rank_choice.hpp"

namespace vernier::interval {
namespace {

using noise::Occupied;
using noise::RankGrid;
using noise::RankStatistic;
using testing::Population;
using Counts = std::vector<std::int64_t>;

constexpr double alpha = 0.05;

noise::Exponential law_of(double scale) { return *noise::Exponential::of(*LaplaceScale::of(scale)); }

double scale_for(const RankStatistic& statistic, double epsilon) {
  return static_cast<double>(statistic.row_moves()) / epsilon;
}

std::vector<Occupied> rows_of(const Counts& counts) {
  std::vector<Occupied> rows;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    if (counts[k] > 0) rows.push_back({static_cast<std::int64_t>(k), counts[k]});
  }
  return rows;
}

double fraction_of(const RankStatistic& statistic) {
  return static_cast<double>(statistic.numerator()) / static_cast<double>(statistic.denominator());
}

// ---- exactly

// The sum over all samples of n rows, point by point.
double exact_miss(const PopulationQuantileInference& inference, const Population& population, std::int64_t n,
                  std::int64_t q) {
  Counts counts(static_cast<std::size_t>(population.steps()) + 1);
  const auto from = [&](const auto& self, std::size_t k, std::int64_t left, double chance) -> double {
    if (chance == 0) return 0;
    if (k + 1 == counts.size()) {
      counts[k] = left;
      return chance * std::pow(population.mass(population.steps()), static_cast<double>(left)) *
             testing::missed_given(inference, rows_of(counts), q);
    }
    double sum = 0, ways = 1;
    for (std::int64_t here = 0; here <= left; ++here) {
      counts[k] = here;
      const double drawn = std::pow(population.mass(static_cast<std::int64_t>(k)), static_cast<double>(here));
      sum += self(self, k + 1, left - here, chance * ways * drawn);
      ways = ways * static_cast<double>(left - here) / static_cast<double>(here + 1);
    }
    return sum;
  };
  return from(from, 0, n, 1);
}

TEST(PopulationQuantileCoverage, IsAtLeastWhatItSaysByExactSums) {
  const RankGrid grid = *RankGrid::of(4);
  double worst = 0;
  for (const Population& population : testing::all_shapes(4)) {
    for (const auto& [parts, whole] : {std::pair{1, 2}, {4, 5}}) {
      const RankStatistic statistic = *RankStatistic::sample_quantile(parts, whole, 5);
      for (const double epsilon : {0.3, 3.0, 30.0}) {
        const auto inference =
            *PopulationQuantileInference::of(statistic, grid, law_of(scale_for(statistic, epsilon)), *Alpha::of(alpha));
        for (const std::int64_t n : {0, 1, 5, 12}) {
          worst = std::max(worst, exact_miss(inference, population, n, population.quantile(fraction_of(statistic))));
        }
      }
    }
  }
  EXPECT_LE(worst, alpha);
  EXPECT_GT(worst, 0.001);  // it is put to the test
}

// ---- by simulation

struct Method {
  bool is_of_rows = false;  // sampling error left out
};

std::uint64_t misses(const RankStatistic& statistic, const Population& population, std::int64_t n, double epsilon,
                     const Method& method, std::uint64_t trials, std::uint64_t seed) {
  const double scale = scale_for(statistic, epsilon);
  const auto inference =
      *PopulationQuantileInference::of(statistic, *RankGrid::of(population.steps()), law_of(scale), *Alpha::of(alpha));
  const noise::RankReach reach =
      method.is_of_rows ? *noise::reach_of(law_of(scale), statistic, *Alpha::of(alpha)) : inference.reach();
  const std::int64_t q = population.quantile(fraction_of(statistic));
  std::mt19937_64 random(seed);
  auto source = vernier::testing::seeded_source(seed);
  std::uint64_t count = 0;
  for (std::uint64_t i = 0; i < trials; ++i) {
    const auto rows = rows_of(population.sample(n, random));
    const auto found = *inference.from(*noise::draw_points(inference.law(), statistic, rows, reach, source));
    if (q < found.low || q > found.high) ++count;
  }
  return count;
}

struct Grid {
  std::vector<Population> shapes;
  std::vector<std::int64_t> numbers;
  std::vector<double> epsilons;
  std::vector<int> hundredths;
  double cells() const {
    return static_cast<double>(shapes.size() * numbers.size() * epsilons.size() * hundredths.size());
  }
};

// How many cells refute that the method covers 95 %, at the false-alarm rate of all cells together.
int refuted(const Grid& grid, const Method& method, std::uint64_t trials) {
  const auto allowed = vernier::testing::unsurprising_counts(trials, alpha, 2 * 1e-6 / grid.cells()).greatest;
  int found = 0;
  std::uint64_t seed = 900;
  for (const int hundredths : grid.hundredths) {
    for (const Population& shape : grid.shapes) {
      const RankStatistic statistic = *RankStatistic::sample_quantile(hundredths, 100, shape.steps() + 1);
      for (const std::int64_t n : grid.numbers) {
        for (const double epsilon : grid.epsilons) {
          if (misses(statistic, shape, n, epsilon, method, trials, ++seed) > allowed) ++found;
        }
      }
    }
  }
  return found;
}

const Grid usual_grid{testing::all_shapes(60), {0, 50, 500, 5000}, {0.1, 1, 10}, {50, 90}};
const Grid heavy_grid{testing::all_shapes(200), {0, 1, 5, 20, 50, 500, 5000, 50'000}, {0.1, 1, 10}, {50, 90, 25, 2}};

TEST(SlowPopulationQuantileCoverage, IsNowhereRefuted) { EXPECT_EQ(refuted(usual_grid, {}, 300), 0); }

TEST(HeavyPopulationQuantileCoverage, IsNowhereRefuted) { EXPECT_EQ(refuted(heavy_grid, {}, 500), 0); }

TEST(SlowPopulationQuantileMutants, AreRefuted) {
  const std::vector<Population> normal{testing::all_shapes(1000).front()};
  EXPECT_GT(refuted({normal, {500}, {10}, {50}}, {.is_of_rows = true}, 150), 0);
}

}  // namespace
}  // namespace vernier::interval
