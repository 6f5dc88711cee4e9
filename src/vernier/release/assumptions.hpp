#pragma once

#include <string>
#include <vector>

#include "vernier/plan/plan.hpp"

namespace vernier::release {

// What has to be true for the guarantee and the intervals to hold, in plain words; a function of the plan.
std::vector<std::string> assumptions_of(const plan::Plan& plan);

}  // namespace vernier::release
