#pragma once

#include "vernier/plan/allocate_price.hpp"

namespace vernier::plan {

// The least factor, within 1e-6 (1e-13 where the total has a closed form), at which the total is certified to be at
// most `epsilon`: at the factor that is returned it was seen to be, at one less than that below it not, or all noise is
// the least that the laws take there. An error where no scale that the laws take does.
Result<double> least_factor(const Pricing& pricing, const Choice& choice, double epsilon, double guess);

}  // namespace vernier::plan
