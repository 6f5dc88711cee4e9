#pragma once

#include <span>

#include "vernier/core/types.hpp"
#include "vernier/table/design.hpp"

namespace vernier::table {

// The design of least cost whose proven reach at alpha is at most accuracies[W] for every table W. Noise is made as
// large as the accuracies let it be, and the gap is that of what it is then: no variances at which these reaches, which
// are about proportional to deviations, fill their accuracies cost less than `least`. An error where no noise that the
// laws take meets them.
Result<Design> design_within(const Lattice& lattice, std::span<const double> accuracies, Alpha alpha);

// The variances at which reaches that belong to these would be the accuracies.
std::vector<double> filled(std::span<const double> variances, std::span<const double> reaches,
                           std::span<const double> accuracies);

}  // namespace vernier::table
