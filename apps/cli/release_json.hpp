#pragma once

#include "cli/asked_study.hpp"
#include "vernier/release/release_json.hpp"

namespace vernier::cli {

// What the record of a release says of the question.
release::Asked asked_of(const AskedStudy& asked);

// release.json, signed with the key of this installation.
Result<std::string> release_json(const AskedStudy& asked, const release::Release& release);

}  // namespace vernier::cli
