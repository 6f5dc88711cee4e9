#pragma once

#include "vernier/plan/allocate_choice.hpp"

namespace vernier::plan {

// The plan of an allocation, with every figure computed from the laws that will be sampled.
Result<Plan> planned(const BoundStudy& study, const Pricing& pricing, const Allocation& found);

}  // namespace vernier::plan
