#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "plot/chart.hpp"

namespace vernier::plot {

// `count` bins of equal width from `low`; a value on an edge belongs to the bin on its right.
struct Bins {
  double low;
  double width;
  std::size_t count;
};

struct Histogram {
  Bins bins;
  std::vector<std::size_t> counts;
  std::size_t outside = 0;  // values in none of the bins
  std::size_t total = 0;    // all values, those outside too
};

Histogram histogram(Bins bins, std::span<const double> values);
Histogram histogram(Bins bins, std::span<const std::int64_t> values);

// The share of all values in each bin, per unit of its width: comparable with a density.
std::vector<Bar> density_bars(const Histogram& histogram);

}  // namespace vernier::plot
