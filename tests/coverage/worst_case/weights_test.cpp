// Weighted means: rows at both bounds, light and heavy ones, all samples of a few.
#include <gtest/gtest.h>

#include "coverage/worst_case/search.hpp"
#include "support/integer_laws.hpp"
#include "vernier/interval/population/mean.hpp"

namespace vernier::worst_case {
namespace {

using interval::Assurance;
using interval::Basis;
using interval::MeanNodes;
using noise::Geometric;
using Sums = std::vector<std::int64_t>;

constexpr std::int64_t heavy = 4;  // the greatest weight; light rows have 1

// Rows at the lower and the upper bound, light and heavy.
using Rows = std::array<std::int64_t, 4>;
using Shares = std::array<double, 4>;

double mean_of(const Shares& shares) {
  return (shares[1] + heavy * shares[3]) / (shares[0] + shares[1] + heavy * (shares[2] + shares[3]));
}

struct Sample {
  Rows rows;
  double log_ways;
  Interval interval;
};

std::vector<Sample> samples_of(std::int64_t n, double alpha, Assurance assurance, Ends ends) {
  const MeanNodes nodes = *MeanNodes::of(Basis::bernstein, 1024);
  const auto bounds = *noise::ValueRange::of(*Real::of(0), *Real::of(1));
  const auto made = *interval::PopulationMeanInference<Geometric>::of(
      testing::law_at<Geometric>(0.01), nodes, bounds, *Alpha::of(alpha), assurance, {.greatest_weight = heavy});
  const auto of = [](std::int64_t x) { return std::lgamma(static_cast<double>(x) + 1); };
  std::vector<Sample> samples;
  for (std::int64_t a = 0; a <= n; ++a) {
    for (std::int64_t b = 0; a + b <= n; ++b) {
      for (std::int64_t c = 0; a + b + c <= n; ++c) {
        const std::int64_t d = n - a - b - c;
        const auto found = *made.from(Sums{(a + heavy * c) << 20, 0, (b + heavy * d) << 20});
        samples.push_back({{a, b, c, d}, of(n) - of(a) - of(b) - of(c) - of(d), ends({found.value, found.interval})});
      }
    }
  }
  return samples;
}

std::vector<Shares> all_shares() {
  std::vector<Shares> found;
  for (const double of_heavy : {0.02, 0.2, 0.5, 0.9}) {
    for (const double light_upper : {0.05, 0.5, 0.8}) {
      for (const double heavy_upper : {0.05, 0.3, 0.5, 0.9}) {
        found.push_back({(1 - of_heavy) * (1 - light_upper), (1 - of_heavy) * light_upper, of_heavy * (1 - heavy_upper),
                         of_heavy * heavy_upper});
      }
    }
  }
  return found;
}

Worst worst_weighted(const std::vector<std::int64_t>& sizes, const std::vector<double>& alphas, Assurance assurance,
                     Ends ends) {
  Worst worst;
  for (const double alpha : alphas) {
    for (const std::int64_t n : sizes) {
      const std::vector<Sample> samples = samples_of(n, alpha, assurance, ends);
      for (const Shares& shares : all_shares()) {
        double miss = 0;
        for (const Sample& one : samples) {
          if (contains(one.interval, mean_of(shares))) continue;
          double log_mass = one.log_ways;
          for (std::size_t k = 0; k < 4; ++k) log_mass += static_cast<double>(one.rows[k]) * std::log(shares[k]);
          miss += std::exp(log_mass);
        }
        worst.add(miss, alpha, "n " + std::to_string(n) + " weighted mean " + std::to_string(mean_of(shares)));
      }
    }
  }
  return worst;
}

TEST(WorstCase, NoSampleRefutesTheWeightedMeanOfAPopulation) {
  const Worst worst = worst_weighted({1, 3, 8}, {0.9, 0.5, 0.2, 0.05, 1e-3}, Assurance::usual, as_told);
  EXPECT_LE(worst.ratio, 1) << worst.cell;
  tell(worst);
  EXPECT_GT(worst_weighted({1, 3}, {1e-6}, Assurance::usual, a_tenth_short).ratio, 1);
}

TEST(HeavyWorstCase, NoSampleRefutesTheWeightedMeanOfAPopulation) {
  for (const Assurance assurance : {Assurance::usual, Assurance::guaranteed}) {
    const Worst worst = worst_weighted({1, 2, 3, 5, 8, 12, 16}, levels, assurance, as_told);
    EXPECT_LE(worst.ratio, 1) << worst.cell;
    tell(worst);
  }
}

}  // namespace
}  // namespace vernier::worst_case
