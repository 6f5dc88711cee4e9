#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/output.hpp"
#include "vernier/core/result.hpp"
#include "vernier/release/verify/verify.hpp"

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

// The files of a folder against the hashes of the record in it: whatever is not as it was published, by name.
struct FolderFaults {
  std::vector<std::string> missing;
  std::vector<std::string> changed;  // other bytes, or a link or folder in place of the file
  std::vector<std::string> foreign;  // the record knows nothing of it

  bool none() const { return missing.empty() && changed.empty() && foreign.empty(); }
  std::string sentence() const;  // all of them
};
Result<FolderFaults> faults_of(const std::filesystem::path& folder,
                               const std::vector<release::DocumentHash>& documents);

// The folder of a release: its record, and every file beside it, against the record's certificate. An error where the
// folder, its record or one of its files cannot be read.
Result<release::Verdict> verify_folder(const std::filesystem::path& folder,
                                       const std::optional<release::PublicKey>& expected);

}  // namespace vernier::cli
