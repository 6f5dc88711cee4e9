#pragma once

#include <cstddef>
#include <string>

#include "cli/arguments.hpp"
#include "cli/output.hpp"
#include "vernier/core/result.hpp"
#include "vernier/release/verify.hpp"

namespace vernier::cli {

inline constexpr std::size_t most_record_bytes = std::size_t{1} << 28;

// `vernier verify`: whether a release is what its record says, and its folder what was published.
Usage verify_usage();
Result<void> run_verify(const Arguments& arguments, Output& output);

// The key of a PEM text; sentences begin with the subject, such as "the file 'office.pub'".
Result<release::PublicKey> public_key_in(const std::string& pem, const std::string& subject);

// What was found, for a person and as JSON.
void write_verdict(Output& output, const release::Verdict& verdict, bool key_was_given);
void write_verdict_json(Output& output, const release::Verdict& verdict);

}  // namespace vernier::cli
