#pragma once

#include <string>
#include <vector>

#include "vernier/engine/engine.hpp"
#include "vernier/plan/plan.hpp"

namespace vernier::release {

// What has to be true for the guarantee and the intervals to hold, in plain words; a function of the plan
// and of the public files that were joined.
std::vector<std::string> assumptions_of(const plan::Plan& plan, const std::vector<engine::PublicFile>& public_files);

}  // namespace vernier::release
