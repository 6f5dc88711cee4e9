#pragma once

#include <vector>

#include "vernier/accounting/loss/tilted_normal.hpp"

namespace vernier::accounting {

// Where a tilted normal density counts, as distances from its anchor, and bounds of what lies outside:
// sampled_gaussian.md.
struct NormalRanges {
  struct Range {
    double first;
    double last;
  };
  std::vector<Range> kept;
  double left_out = 0;  // of the integral over the rest, in units of the density at the anchor; infinite where unknown
  double most = 0;  // of the density at the places where the rest begins: a sum over steps is at most left_out / step
                    // and this, since it has a first point
};

// How many standard deviations are always far enough.
inline constexpr double far_out = 10.8;
// ln of what is left out at once, relative to the anchor.
inline constexpr double negligible = -58;

NormalRanges ranges_of(const TiltedNormal& density);

}  // namespace vernier::accounting
