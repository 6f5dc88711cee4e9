#include <gtest/gtest.h>

#include "coverage/worst_case/search.hpp"
#include "support/integer_laws.hpp"
#include "vernier/interval/population/mean.hpp"

// Units with more rows than count: a member's part is the mean of its rows, cut to whole parts of each node.
namespace vernier::worst_case {
namespace {

using interval::Assurance;
using interval::MeanNodes;
using noise::Geometric;

// A kind of unit by its rows at the lower and at the upper bound, of which one counts.
struct Kind {
  std::int64_t lower, upper;
  double mean() const { return static_cast<double>(upper) / static_cast<double>(lower + upper); }
};
using Kinds = std::array<Kind, 3>;

std::array<std::int64_t, 3> part_of(const Kind& kind, std::int64_t weight) {
  const std::int64_t b = weight * kind.lower / (kind.lower + kind.upper);
  const std::int64_t e = weight * kind.upper / (kind.lower + kind.upper);
  return {b, weight - b - e, e};
}

struct Sample {
  std::array<std::int64_t, 3> units;
  double log_ways;
  Interval interval;
};

std::vector<Sample> samples_of(const Kinds& kinds, std::int64_t n, double alpha, Assurance assurance, Ends ends) {
  const std::int64_t weight = std::int64_t{1} << 20;
  const MeanNodes nodes = *MeanNodes::moments(1, weight, true);
  const auto bounds = *noise::ValueRange::of(*Real::of(0), *Real::of(1));
  const auto made = *interval::PopulationMeanInference<Geometric>::of(testing::law_at<Geometric>(0.01), nodes, bounds,
                                                                      *Alpha::of(alpha), assurance, {});
  const auto of = [](std::int64_t x) { return std::lgamma(static_cast<double>(x) + 1); };
  std::vector<Sample> samples;
  for (std::int64_t first = 0; first <= n; ++first) {
    for (std::int64_t second = 0; first + second <= n; ++second) {
      const std::array<std::int64_t, 3> units{first, second, n - first - second};
      std::vector<std::int64_t> sums(3, 0);
      for (std::size_t k = 0; k < 3; ++k) {
        const auto part = part_of(kinds[k], weight);
        for (std::size_t i = 0; i < 3; ++i) sums[i] += units[k] * part[i];
      }
      const auto found = *made.from(sums);
      // What the plan adds for parts that are cut (rounding.md).
      const double cut = 0.5 / static_cast<double>(weight);
      const Interval widened{found.interval.low - cut, found.interval.high + cut};
      samples.push_back({units, of(n) - of(units[0]) - of(units[1]) - of(units[2]), ends({found.value, widened})});
    }
  }
  return samples;
}

void search(Worst& worst, const Kinds& kinds, std::int64_t n, double alpha, Assurance assurance, Ends ends) {
  const std::vector<Sample> samples = samples_of(kinds, n, alpha, assurance, ends);
  constexpr int grid = 24;
  for (int i = 1; i < grid; ++i) {
    for (int j = 1; i + j < grid; ++j) {
      const std::array<double, 3> share{i / double(grid), j / double(grid), 1 - (i + j) / double(grid)};
      double truth = 0, miss = 0;
      for (std::size_t k = 0; k < 3; ++k) truth += share[k] * kinds[k].mean();
      for (const Sample& one : samples) {
        if (contains(one.interval, truth)) continue;
        double log_mass = one.log_ways;
        for (std::size_t k = 0; k < 3; ++k) log_mass += static_cast<double>(one.units[k]) * std::log(share[k]);
        miss += std::exp(log_mass);
      }
      worst.add(miss, alpha, "n " + std::to_string(n) + " shares " + std::to_string(i) + " " + std::to_string(j));
    }
  }
}

Worst worst_of(const Kinds& kinds, Assurance assurance, Ends ends) {
  Worst worst;
  for (const double alpha : {0.9, 0.5, 0.2, 0.05, 1e-3, 1e-6}) {
    for (const std::int64_t n : {2, 5, 10}) search(worst, kinds, n, alpha, assurance, ends);
  }
  return worst;
}

const std::vector<Kinds> mixtures = {
    {{{1, 0}, {1, 1}, {0, 1}}}, {{{1, 0}, {2, 1}, {0, 1}}}, {{{3, 1}, {1, 2}, {0, 1}}}, {{{1, 1}, {2, 1}, {1, 2}}}};

TEST(WorstCase, NoSampleRefutesTheMeanOfUnitsWithSeveralRows) {
  for (const Assurance assurance : {Assurance::usual, Assurance::guaranteed}) {
    for (const Kinds& kinds : mixtures) {
      const Worst worst = worst_of(kinds, assurance, as_told);
      EXPECT_LE(worst.ratio, 1) << worst.cell;
      tell(worst);
    }
  }
  // Few of these units have two values, so that a tenth is not enough everywhere to be refuted; a third is.
  const Worst planted = worst_of(mixtures.front(), Assurance::usual, [](const Told& told) -> Interval {
    return {(told.value + 2 * told.interval.low) / 3, (told.value + 2 * told.interval.high) / 3};
  });
  EXPECT_GT(planted.ratio, 1) << planted.cell;
}

}  // namespace
}  // namespace vernier::worst_case
