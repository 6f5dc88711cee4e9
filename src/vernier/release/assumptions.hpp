#pragma once

#include <string>
#include <vector>

#include "vernier/release/release.hpp"

namespace vernier::release {

// What has to be true for the guarantee and the intervals to hold, in plain words; a function of the plan, of the
// public files that were joined and of the public numbers of rows that the tables rest on.
std::vector<std::string> assumptions_of(const plan::Plan& plan, const std::vector<engine::PublicFile>& public_files,
                                        const std::vector<Table>& tables);

}  // namespace vernier::release
