#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "vernier/interval/noise/mean_nodes.hpp"

// Populations on the places k = 0..steps of a grid, whose true mean, variance and quantiles are known exactly.
namespace vernier::testing {

class Population {
 public:
  // Any weights, of places 0, 1, ...
  explicit Population(const std::vector<double>& weights) {
    double sum = 0;
    for (const double weight : weights) sum += weight;
    double up_to = 0;
    for (const double weight : weights) {
      mass_.push_back(weight / sum);
      cumulative_.push_back(up_to += weight / sum);
    }
    cumulative_.back() = 1;
  }

  std::int64_t steps() const { return static_cast<std::int64_t>(mass_.size()) - 1; }
  double mass(std::int64_t k) const { return mass_[static_cast<std::size_t>(k)]; }

  double mean() const {  // as a place between 0 and 1
    double sum = 0;
    for (std::size_t k = 0; k < mass_.size(); ++k) sum += mass_[k] * static_cast<double>(k);
    return sum / static_cast<double>(steps());
  }
  double variance() const {
    double sum = 0;
    for (std::size_t k = 0; k < mass_.size(); ++k) {
      const double from_mean = static_cast<double>(k) / static_cast<double>(steps()) - mean();
      sum += mass_[k] * from_mean * from_mean;
    }
    return sum;
  }
  std::int64_t quantile(double p) const {  // the least one
    const auto found = std::find_if(cumulative_.begin(), cumulative_.end(), [&](double c) { return c >= p - 1e-12; });
    return found - cumulative_.begin();
  }

  // How many of n rows are at each place.
  std::vector<std::int64_t> sample(std::int64_t n, std::mt19937_64& random) const {
    std::vector<std::int64_t> counts(mass_.size());
    double left = 1;
    for (std::size_t k = 0; k + 1 < mass_.size() && n > 0; ++k) {
      const double part = std::clamp(mass_[k] / left, 0.0, 1.0);
      counts[k] = part >= 1 ? n : std::binomial_distribution<std::int64_t>(n, part)(random);
      n -= counts[k];
      left -= mass_[k];
    }
    counts.back() += n;
    return counts;
  }

 private:
  std::vector<double> mass_, cumulative_;
};

inline Population population_by(std::int64_t steps, double (*weight)(double place)) {
  std::vector<double> weights;
  for (std::int64_t k = 0; k <= steps; ++k) {
    weights.push_back(weight(static_cast<double>(k) / static_cast<double>(steps)));
  }
  return Population(weights);
}

// A part of the members at one place, the others at another.
inline Population two_points(std::int64_t steps, double part, double place, double elsewhere) {
  std::vector<double> weights(static_cast<std::size_t>(steps) + 1);
  weights[static_cast<std::size_t>(std::llround(place * static_cast<double>(steps)))] += part;
  weights[static_cast<std::size_t>(std::llround(elsewhere * static_cast<double>(steps)))] += 1 - part;
  return Population(weights);
}

// Most of it beyond the bounds, and so at them.
inline Population heavily_clamped(std::int64_t steps) {
  std::vector<double> weights(static_cast<std::size_t>(steps) + 1, 0.1 / static_cast<double>(steps));
  weights.front() = 0.3;
  weights.back() = 0.6;
  return Population(weights);
}

// Normal, skewed, two-point (frequent and rare), constant, heavily clamped.
inline std::vector<Population> all_shapes(std::int64_t steps) {
  return {population_by(steps, [](double x) { return std::exp(-(x - 0.45) * (x - 0.45) / (2 * 0.15 * 0.15)); }),
          population_by(steps, [](double x) { return std::exp(-x * 12); }),
          two_points(steps, 0.3, 1, 0),
          two_points(steps, 0.01, 1, 0.2),
          two_points(steps, 1, 0.3, 0),
          heavily_clamped(steps)};
}

// The three node sums of so many rows at each place.
inline std::vector<std::int64_t> sums_of(const std::vector<std::int64_t>& counts, const interval::MeanNodes& nodes) {
  std::vector<std::int64_t> sums(3);
  for (std::size_t k = 0; k < counts.size(); ++k) {
    const auto row = nodes.row(static_cast<std::int64_t>(k));
    for (std::size_t i = 0; i < 3; ++i) sums[i] += counts[k] * row[i];
  }
  return sums;
}

}  // namespace vernier::testing
