#include "plot/histogram.hpp"

namespace vernier::plot {
namespace {

template <class Value>
Histogram counted(Bins bins, std::span<const Value> values) {
  Histogram result{bins, std::vector<std::size_t>(bins.count, 0), 0, values.size()};
  for (const Value value : values) {
    const double place = (static_cast<double>(value) - bins.low) / bins.width;
    if (place >= 0 && place < static_cast<double>(bins.count)) {
      ++result.counts[static_cast<std::size_t>(place)];
    } else {
      ++result.outside;
    }
  }
  return result;
}

}  // namespace

Histogram histogram(Bins bins, std::span<const double> values) { return counted(bins, values); }
Histogram histogram(Bins bins, std::span<const std::int64_t> values) { return counted(bins, values); }

std::vector<Bar> density_bars(const Histogram& histogram) {
  const Bins& bins = histogram.bins;
  std::vector<Bar> bars;
  for (std::size_t i = 0; i < bins.count; ++i) {
    const double left = bins.low + bins.width * static_cast<double>(i);
    const double share = static_cast<double>(histogram.counts[i]) / static_cast<double>(histogram.total);
    bars.push_back({left, left + bins.width, share / bins.width});
  }
  return bars;
}

}  // namespace vernier::plot
