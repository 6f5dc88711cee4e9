#pragma once

#include "cli/arguments.hpp"
#include "cli/output.hpp"
#include "vernier/core/result.hpp"
#include "vernier/release/verify/verify.hpp"

namespace vernier::cli {

// What was found, for a person and as JSON.
void write_verdict(Output& output, const release::Verdict& verdict, bool key_was_given);
void write_verdict_json(Output& output, const release::Verdict& verdict);

}  // namespace vernier::cli
