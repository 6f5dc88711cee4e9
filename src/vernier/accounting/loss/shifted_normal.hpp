#pragma once

#include <optional>
#include <vector>

#include "vernier/accounting/loss/damped_nodes.hpp"
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
inline constexpr double log_negligible = -58;

NormalRanges ranges_of(const TiltedNormal& density);

// At most about where the tilted density has its peak.
double least_peak_of(const TiltedNormal& density);

// The nodes of the tilted law on a line off the real one, which serve every frequency. `integral` is that of the tilted
// density, in units of its value at the anchor, known to `relative_error`. None for a lattice, or where they would be
// too many or too far. sampled_gaussian.md.
std::optional<DampedNodes> shifted_nodes(const TiltedNormal& density, double centre, double integral,
                                         double relative_error);

}  // namespace vernier::accounting
