#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "support/seeded_bits.hpp"
#include "vernier/interval/noise/mean_nodes.hpp"

// Populations of known mean, and samples of them as sums of nodes.
namespace vernier::testing {

// So many members, each at one of 0..steps; a sample is drawn with replacement.
struct SampledPopulation {
  std::string name;
  std::vector<std::int64_t> members;

  double mean() const {
    double sum = 0;
    for (const std::int64_t k : members) sum += static_cast<double>(k);
    return sum / static_cast<double>(members.size());
  }
};

inline SampledPopulation population_of(const std::string& name, std::int64_t steps, double (*place_of)(double part)) {
  SampledPopulation found{name, {}};
  for (int i = 0; i < 4000; ++i) {
    const double place = std::clamp(place_of((i + 0.5) / 4000), 0.0, 1.0);
    found.members.push_back(std::llround(place * static_cast<double>(steps)));
  }
  return found;
}

// About the standard normal law at these parts: a logistic curve does for a shape.
inline double bell(double part) { return std::log(part / (1 - part)) / 1.7; }

// The shapes that intervals are tried on.
inline std::vector<SampledPopulation> populations(std::int64_t steps) {
  return {population_of("normal", steps, [](double u) { return 0.5 + 0.125 * bell(u); }),
          population_of("skewed", steps, [](double u) { return std::exp(1.5 * bell(u)) / 50; }),
          population_of("two-point 0.5", steps, [](double u) { return u < 0.5 ? 1.0 : 0.0; }),
          population_of("two-point 0.1", steps, [](double u) { return u < 0.1 ? 1.0 : 0.0; }),
          population_of("two-point 0.01", steps, [](double u) { return u < 0.01 ? 1.0 : 0.0; }),
          population_of("two-point 0.002", steps, [](double u) { return u < 0.002 ? 1.0 : 0.0; }),
          population_of("constant", steps, [](double) { return 0.3; }),
          population_of("heavily clamped", steps, [](double u) { return 0.6 + 4 * bell(u); })};
}

// The node sums of n members drawn with replacement.
inline std::vector<std::int64_t> sample_sums(const SampledPopulation& population, const interval::MeanNodes& nodes,
                                             std::int64_t n, SeededBits& bits) {
  std::vector<std::int64_t> sums(nodes.count());
  for (std::int64_t i = 0; i < n; ++i) {
    const auto at = static_cast<std::size_t>((*bits.next() >> 32) * population.members.size() >> 32);
    const auto row = nodes.row(population.members[at]);
    for (std::size_t node = 0; node < sums.size(); ++node) sums[node] += row[node];
  }
  return sums;
}

// The same without replacement: n different members.
inline std::vector<std::int64_t> sums_without_replacement(SampledPopulation& population,
                                                          const interval::MeanNodes& nodes, std::size_t n,
                                                          SeededBits& bits) {
  std::vector<std::int64_t> sums(nodes.count());
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t left = population.members.size() - i;
    std::swap(population.members[i], population.members[i + ((*bits.next() >> 32) * left >> 32)]);
    const auto row = nodes.row(population.members[i]);
    for (std::size_t node = 0; node < sums.size(); ++node) sums[node] += row[node];
  }
  return sums;
}

}  // namespace vernier::testing
