#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "vernier/release/verify.hpp"

namespace vernier::cli {

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
