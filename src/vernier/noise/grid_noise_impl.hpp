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

// In chunks that stay in the cache: add_values(start, units) adds what is to be protected to the noise from `start` on.
template <class IntegerLaw>
template <class Stream, class AddValues>
Result<void> GridNoise<IntegerLaw>::release(random::BasicSource<Stream>& source, std::span<double> out,
                                            AddValues add_values) const {
  constexpr std::size_t chunk = 16384;
  std::vector<std::int64_t> units(std::min(out.size(), chunk));
  Result<void> filled;
  for (std::size_t start = 0; start < out.size(); start += chunk) {
    const std::size_t count = std::min(chunk, out.size() - start);
    filled = sampler_.fill(source, std::span(units).first(count));
    if (!filled) break;
    add_values(start, std::span<std::int64_t>(units).first(count));
    sampler_.loops().to_real(units.data(), count, grid_.granularity(), out.data() + start);
  }
  random::wipe(std::as_writable_bytes(std::span(units)));
  if (!filled) std::fill(out.begin(), out.end(), std::numeric_limits<double>::quiet_NaN());
  return filled;
}

template <class IntegerLaw>
template <class Stream>
Result<void> GridNoise<IntegerLaw>::fill(random::BasicSource<Stream>& source, std::span<double> out) const {
  return release(source, out, [](std::size_t, std::span<std::int64_t>) {});
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
  return release(source, out, [&](std::size_t start, std::span<std::int64_t> units) {
    for (std::size_t i = 0; i < units.size(); ++i) units[i] += grid_.nearest_unit(range.clamp(values[start + i]));
  });
}

}  // namespace vernier::noise
