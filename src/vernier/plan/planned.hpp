#pragma once

#include "vernier/plan/allocate_choice.hpp"

namespace vernier::plan {

// The plan of an allocation, with every figure computed from the laws that will be sampled.
Result<Plan> planned(const BoundStudy& study, const Pricing& pricing, const Allocation& found);

// The plan with these laws, one for every item of the study: the same figures for whoever checks a plan.
Result<Plan> planned_with(const BoundStudy& study, const std::vector<NoiseItem>& items, const std::vector<Law>& laws,
                          privacy::Delta delta);

}  // namespace vernier::plan
