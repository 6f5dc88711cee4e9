#include "vernier/interval/population/quantile.hpp"

#include <gtest/gtest.h>

#include "coverage/worst_case/search.hpp"
#include "support/missed_ends.hpp"

namespace vernier::worst_case {
namespace {

using interval::PopulationQuantileInference;
using noise::Occupied;
using noise::RankGrid;
using noise::RankStatistic;
using Rows = std::vector<Occupied>;

constexpr std::int64_t last_point = 2, truth = 1;

// Of ends for another alpha than the one that is claimed, where one is planted.
struct Setting {
  std::int64_t parts, whole;
  double epsilon, alpha;
  PopulationQuantileInference inference(double made_for) const {
    const RankStatistic statistic = *RankStatistic::sample_quantile(parts, whole, last_point + 1);
    const double scale = static_cast<double>(statistic.row_moves()) / epsilon;
    return *PopulationQuantileInference::of(statistic, *RankGrid::of(last_point),
                                            *noise::Exponential::of(*LaplaceScale::of(scale)), *Alpha::of(made_for));
  }
  std::string text(std::int64_t n) const {
    return std::to_string(parts) + "/" + std::to_string(whole) + " epsilon " + std::to_string(epsilon) + " n " +
           std::to_string(n);
  }
};

Rows rows_at(const std::array<std::int64_t, 3>& counts) {
  Rows rows;
  for (std::int64_t k = 0; k <= last_point; ++k) {
    if (counts[static_cast<std::size_t>(k)] > 0) rows.push_back({k, counts[static_cast<std::size_t>(k)]});
  }
  return rows;
}

// All below or above the truth, which every point between is: the sample is as often too low as too high.
void search_two_points(Worst& worst, const Setting& setting, const PopulationQuantileInference& inference,
                       std::int64_t n) {
  const double p = static_cast<double>(setting.parts) / static_cast<double>(setting.whole);
  double miss = 0;
  for (std::int64_t k = 0; k <= n; ++k) {
    const double mass = binomial(n, k, p);
    if (mass > 1e-4 * setting.alpha / static_cast<double>(n + 1)) {
      miss += mass * testing::missed_given(inference, rows_at({k, 0, n - k}), truth);
    }
  }
  worst.add(miss, setting.alpha, setting.text(n));
}

// Some at the truth: it is a quantile where up to `below` lie under it and the rest up to it.
void search_three_points(Worst& worst, const Setting& setting, const PopulationQuantileInference& inference,
                         std::int64_t n, int grid) {
  const double p = static_cast<double>(setting.parts) / static_cast<double>(setting.whole);
  for (int i = 0; i <= grid; ++i) {
    for (int j = 0; j <= grid; ++j) {
      const double below = p * i / grid, above = (1 - p) * j / grid;
      double miss = 0;
      for (std::int64_t low = 0; low <= n; ++low) {
        for (std::int64_t high = 0; low + high <= n; ++high) {
          const double mass = binomial(n, low, below) * binomial(n - low, high, above / (1 - below));
          if (mass > 0) miss += mass * testing::missed_given(inference, rows_at({low, n - low - high, high}), truth);
        }
      }
      worst.add(miss, setting.alpha, setting.text(n) + " below " + std::to_string(below));
    }
  }
}

struct Size {
  std::vector<std::int64_t> lattices, samples;
  std::vector<double> alphas;
  int grid;
};
const Size small{{0, 1, 6, 11, 40}, {3, 7}, {0.9, 0.3, 0.05, 1e-6}, 2};
const Size whole{{0, 1, 2, 3, 4, 5, 6, 8, 10, 13, 16, 20, 40, 64, 100, 200},
                 {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16},
                 levels,
                 6};

Worst worst_quantile(const Size& size) {
  Worst worst;
  for (const auto& [parts, of] : {std::pair{1, 2}, {9, 10}, {1, 3}}) {
    for (const double epsilon : {0.3, 3.0, 1000.0}) {
      for (const double alpha : size.alphas) {
        const Setting setting{parts, of, epsilon, alpha};
        const PopulationQuantileInference inference = setting.inference(alpha);
        for (const std::int64_t n : size.lattices) search_two_points(worst, setting, inference, n);
        for (const std::int64_t n : size.samples) search_three_points(worst, setting, inference, n, size.grid);
      }
    }
  }
  return worst;
}

TEST(WorstCase, NoSampleRefutesQuantilesOfAPopulation) {
  const Worst worst = worst_quantile(small);
  EXPECT_LE(worst.ratio, 1) << worst.cell;
  EXPECT_GT(worst.ratio, 0.5) << worst.cell;
  tell(worst);
}

TEST(HeavyWorstCase, NoSampleRefutesQuantilesOfAPopulation) {
  const Worst worst = worst_quantile(whole);
  EXPECT_LE(worst.ratio, 1) << worst.cell;
  tell(worst);
}

// A tenth fewer deviations of the sample: 1.815 in place of 2.017, the point of 0.0219.
TEST(WorstCase, RefutesQuantilesWhoseEndsAreATenthShort) {
  const Setting setting{1, 2, 1000, 0.05};
  const PopulationQuantileInference inference = setting.inference(0.0795);
  Worst worst;
  for (const std::int64_t n : {100, 140, 200, 260}) search_two_points(worst, setting, inference, n);
  EXPECT_GT(worst.ratio, 1) << worst.cell;
}

// What the sign test needs, as part of the range of evenly spread rows: 0.64, 0.53, 0.43, 0.32 and 0.208.
TEST(WorstCase, NeedsNoMoreThanTheSignTestForAMedianOfFewRows) {
  constexpr std::int64_t points = 2001;
  const RankStatistic statistic = *RankStatistic::sample_quantile(1, 2, points);
  const auto law = *noise::Exponential::of(*LaplaceScale::of(static_cast<double>(statistic.row_moves()) / 1000));
  const auto inference = *PopulationQuantileInference::of(statistic, *RankGrid::of(points - 1), law, *Alpha::of(0.05));
  for (const auto& [n, needed] :
       {std::pair{10, 7.0 / 11}, {16, 9.0 / 17}, {20, 9.0 / 21}, {40, 13.0 / 41}, {100, 21.0 / 101}}) {
    Rows rows;
    for (std::int64_t i = 1; i <= n; ++i) rows.push_back({points * i / (n + 1), 1});
    const noise::RankChoice choice(statistic, rows, inference.reach());
    const auto nearest = choice.levels().front();
    ASSERT_EQ(nearest.candidates, 1);
    const auto found = *inference.from(choice.candidate(0, 0));
    EXPECT_LE(static_cast<double>(found.high - found.low) / points, 1.01 * needed) << n;
  }
}

}  // namespace
}  // namespace vernier::worst_case
