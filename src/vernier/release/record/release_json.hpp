#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "vernier/numeric/rational.hpp"
#include "vernier/release/release.hpp"
#include "vernier/release/signing/signing_key.hpp"

namespace vernier::release {

inline constexpr std::string_view record_name = "release.json";

// A file that is published beside the record.
struct DocumentHash {
  std::string name;
  std::string sha256;  // of its bytes, in hex

  friend bool operator==(const DocumentHash&, const DocumentHash&) = default;
};
Result<std::vector<DocumentHash>> hashes_of(const ledger::Documents& documents);

// What a record says of the question, beside what is in the plan.
struct Asked {
  std::string study;                         // what it is called
  std::vector<std::string> sql;              // as the analyst wrote it, one per statistic
  numeric::Rational alpha;                   // as it was written
  std::vector<DocumentHash> documents = {};  // made before the record, which vouches for them
};

// The double nearest to 1 - alpha.
double confidence_of(const numeric::Rational& alpha);

// The whole release as one object on one line, signed: what stands in release.json. certificate.md has the format.
Result<std::string> signed_release_json(const Release& release, const Asked& asked, const SigningKey& key);

// What has to be true for the guarantee and the intervals to hold, in plain words; a function of the plan, of the
// public files that were joined, of the public numbers of rows that the tables rest on, and of whether all statistics
// saw one state of the data.
std::vector<std::string> assumptions_of(const plan::Plan& plan, const std::vector<engine::PublicFile>& public_files,
                                        const std::vector<Table>& tables, std::optional<engine::Snapshot> snapshot);

}  // namespace vernier::release
