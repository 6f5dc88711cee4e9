#pragma once

#include <optional>

#include "vernier/accounting/loss/damped_nodes.hpp"
#include "vernier/accounting/loss/tilted_normal.hpp"

namespace vernier::accounting {

// At most about where the tilted density has its peak.
double least_peak_of(const TiltedNormal& density);

// The nodes of the tilted law on a line off the real one, which serve every frequency. `integral` is that of the tilted
// density, in units of its value at the anchor, known to `relative_error`. None for a lattice, or where they would be
// too many or too far. sampled_gaussian.md.
std::optional<DampedNodes> shifted_nodes(const TiltedNormal& density, double centre, double integral,
                                         double relative_error);

}  // namespace vernier::accounting
