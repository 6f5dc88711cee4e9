#pragma once

#include <cmath>
#include <optional>
#include <vector>

#include "vernier/interval/regression/moments.hpp"

namespace vernier::interval {

using Indices = std::vector<std::size_t>;  // of columns

inline constexpr int most_rounds = 40;  // until radii are kept

// Radii B of these columns with bound(B) <= B, without any slack: regression.md, "Radii", needs it as it stands. Looked
// for upward, each try a little above what the last one asked for, so that one is found near the least. None: there may
// be none.
template <class Bound>
std::optional<Place> kept_radii(const Indices& at, const Bound& bound) {
  Place radius{};
  for (int round = 0; round < most_rounds; ++round) {
    Place next = bound(radius);
    bool is_kept = round > 0;
    for (const std::size_t k : at) {
      if (!std::isfinite(next[k])) return std::nullopt;
      is_kept = is_kept && next[k] <= radius[k];
      next[k] *= 1 + 0x1p-8;
    }
    if (is_kept) return radius;
    radius = next;
  }
  return std::nullopt;
}

}  // namespace vernier::interval
