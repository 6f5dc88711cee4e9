#pragma once

// The inside of GridNoise; included by grid_noise.hpp alone.

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "vernier/core/text.hpp"
#include "vernier/noise/grid_noise.hpp"
#include "vernier/random/wipe.hpp"

namespace vernier::noise {

// out[i] = released(i, noise in units), in chunks that stay in the cache.
template <class IntegerLaw>
template <class Stream, class Release>
Result<void> GridNoise<IntegerLaw>::release(random::BasicSource<Stream>& source, std::span<double> out,
                                            Release released) const {
  constexpr std::size_t chunk = 16384;
  std::vector<std::int64_t> units(std::min(out.size(), chunk));
  Result<void> filled;
  for (std::size_t start = 0; start < out.size() && filled; start += chunk) {
    const std::size_t count = std::min(chunk, out.size() - start);
    filled = sampler_.fill(source, std::span(units).first(count));
    for (std::size_t i = 0; i < count; ++i) out[start + i] = released(start + i, units[i]);
  }
  random::wipe(std::as_writable_bytes(std::span(units)));
  if (!filled) std::fill(out.begin(), out.end(), std::numeric_limits<double>::quiet_NaN());
  return filled;
}

template <class IntegerLaw>
template <class Stream>
Result<void> GridNoise<IntegerLaw>::fill(random::BasicSource<Stream>& source, std::span<double> out) const {
  return release(source, out, [grid = grid_](std::size_t, std::int64_t units) { return grid.value_of(units); });
}

// Neither term exceeds 2^62 in size (of the noise this is the sampler's contract), so the sum fits.
template <class IntegerLaw>
template <class Stream>
Result<void> GridNoise<IntegerLaw>::perturb(random::BasicSource<Stream>& source, ValueRange range,
                                            std::span<const double> values, std::span<double> out) const {
  if (values.size() != out.size()) return invalid("there must be as many outputs as values");
  if (std::max(std::fabs(range.lower()), std::fabs(range.upper())) > grid_.greatest_value()) {
    return invalid("a range of [" + shortest(range.lower()) + ", " + shortest(range.upper()) +
                   "] is too wide for noise of granularity " + shortest(grid_.granularity()) +
                   "; narrow the range or take a larger scale");
  }
  return release(source, out, [&](std::size_t i, std::int64_t units) {
    return grid_.value_of(grid_.nearest_unit(range.clamp(values[i])) + units);
  });
}

}  // namespace vernier::noise
