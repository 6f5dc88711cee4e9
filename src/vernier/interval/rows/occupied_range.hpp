#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "vernier/core/types.hpp"
#include "vernier/noise/discrete_gaussian.hpp"
#include "vernier/noise/geometric.hpp"

// Where the values of a histogram lie, found from its noisy counts alone. occupied_range.md has the proofs.
namespace vernier::interval {

// Bins of a histogram in their order, both ends included.
struct BinRange {
  std::size_t first;
  std::size_t last;

  friend bool operator==(const BinRange&, const BinRange&) = default;
};

// How far the noise of runs of bins reaches, for all statements about a histogram of so many bins together.
struct RangeMargins {
  std::vector<std::int64_t> tails;  // by length, from 0 to bins - 1: of the bins before, or behind, any one
  std::vector<std::int64_t> runs;   // of runs of 1, 2, 4, ... bins, wherever they begin
  std::int64_t total;               // of all bins
};
RangeMargins range_margins(std::size_t bins, const noise::Geometric& law, Alpha alpha);
RangeMargins range_margins(std::size_t bins, const noise::DiscreteGaussian& law, Alpha alpha);

// Counts that got independent noise, as many as the margins of its law are for.
using NoisyCounts = std::span<const std::int64_t>;

// The bins from the first to the last in which there are values, as far as the noise lets them be seen; none where no
// run of bins stands out.
std::optional<BinRange> occupied_bins(NoisyCounts noisy, const RangeMargins& margins);

// What the exact counts are at most and at least. All figures, of all ranges, hold together with probability at least
// 1 - alpha, whatever the exact counts are; so the range may be chosen by what was seen.
struct RangeStatement {
  std::int64_t below_at_most;   // the exact number before the first bin of the range
  std::int64_t above_at_most;   // likewise after its last one
  std::int64_t total_at_least;  // in all bins
  std::int64_t total_at_most;

  std::int64_t outside_at_most() const { return below_at_most + above_at_most; }
  double share_outside_at_most() const;  // of the total, rounded up; 1 where nothing better is known
};
RangeStatement statement_about(BinRange range, NoisyCounts noisy, const RangeMargins& margins);

}  // namespace vernier::interval
