#pragma once

#include "cli/asked_study.hpp"
#include "cli/output.hpp"
#include "vernier/release/release.hpp"

namespace vernier::cli {

// The whole release as one object on one line: what stands in release.json.
void write_release_json(Output& output, const AskedStudy& asked, const release::Release& release);

// What has to be true for the guarantee and the intervals to hold, in plain words; a function of the plan.
std::vector<std::string> assumptions_of(const plan::Plan& plan);

}  // namespace vernier::cli
