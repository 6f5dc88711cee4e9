#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "vernier/interval/statement.hpp"

// Exact searches for the cell in which an interval misses most often: sums over all samples and, where there is some,
// all noise. Nothing is simulated, so that a miss at an alpha of 1e-12 is seen as well as one at 0.9.
namespace vernier::worst_case {

using interval::Interval;

// Levels at which claims are looked at.
inline const std::vector<double> levels{0.9, 0.7, 0.5, 0.3, 0.2, 0.1, 0.05, 0.01, 1e-3, 1e-6, 1e-9, 1e-12};

// The cell that misses most often, over alpha.
struct Worst {
  double ratio = 0;
  std::string cell;
  void add(double miss, double alpha, const std::string& where) {
    if (miss / alpha <= ratio) return;
    ratio = miss / alpha;
    cell = where + " alpha " + std::to_string(alpha) + " miss " + std::to_string(miss);
  }
};

// Into the report of the run: docs/theory/intervals.md has these numbers.
inline void tell(const Worst& worst) {
  ::testing::Test::RecordProperty("worst_case", std::to_string(worst.ratio) + " of alpha at " + worst.cell);
}

// What is told, and the same with a reach that is a tenth short: every search must refute that.
struct Told {
  double value;
  Interval interval;
};
inline Interval as_told(const Told& told) { return told.interval; }
inline Interval a_tenth_short(const Told& told) {
  return {told.value - 0.9 * (told.value - told.interval.low), told.value + 0.9 * (told.interval.high - told.value)};
}
using Ends = Interval (*)(const Told&);

// P[K = k], K binomial.
inline double binomial(std::int64_t n, std::int64_t k, double p) {
  if (p <= 0 || p >= 1) return k == (p <= 0 ? 0 : n) ? 1 : 0;
  const auto of = [](std::int64_t x) { return std::lgamma(static_cast<double>(x) + 1); };
  return std::exp(of(n) - of(k) - of(n - k) + static_cast<double>(k) * std::log(p) +
                  static_cast<double>(n - k) * std::log1p(-p));
}

// Shares of a population, dense where a sample sees few or none of it.
inline std::vector<double> shares(std::int64_t n, int grid) {
  std::vector<double> found;
  for (int i = 1; i < grid; ++i) found.push_back(static_cast<double>(i) / grid);
  const auto rows = static_cast<double>(n);
  for (double expected = 0.3; expected < std::min(40.0, rows / 2); expected += 12.0 / grid) {
    found.push_back(expected / rows);
    found.push_back(1 - expected / rows);
  }
  return found;
}

// Rounding of a place and of ends is no miss.
inline bool contains(const Interval& interval, double truth) {
  const double slack = 1e-9 * (1 + std::abs(truth));
  return interval.low - slack <= truth && truth <= interval.high + slack;
}

}  // namespace vernier::worst_case
