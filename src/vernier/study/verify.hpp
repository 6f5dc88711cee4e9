#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "vernier/core/progress.hpp"
#include "vernier/release/verify/verify.hpp"
#include "vernier/study/ledger.hpp"

// Whether what was published is what it says: a record, the folder around it, and the ledger that paid for it.
namespace vernier::study {

inline constexpr std::size_t most_record_bytes = std::size_t{1} << 28;

// Whose signature it must be: the key of a PEM text, if there is one. Sentences begin with the subject, such as "the
// file 'office.pub'".
Result<std::optional<release::PublicKey>> expected_key(const std::optional<std::string>& pem,
                                                       const std::string& subject = "the public key");

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

// A folder as above, or a record alone where the path is a file.
Result<release::Verdict> verify(const std::filesystem::path& place, const std::optional<release::PublicKey>& expected);

// A release.json that was given out, as far as it is about the ledger.
struct PublishedRelease {
  std::string file;
  std::string content;
  std::string release;
  std::int64_t index;
  std::string head;
};
Result<PublishedRelease> read_published(const std::string& file);
Result<PublishedRelease> published_in(const std::string& file, std::string text);  // the same for its content

// That the ledger has the entry which the release names, and that the entry paid for this release.
Result<void> check_entry(const PublishedRelease& published, const ledger::Entry& entry);

// That it is what was stored for it, byte by byte; nothing is said where nothing was stored.
Result<void> check_stored(const PublishedRelease& published, const ledger::Documents& documents);

// A ledger whose every entry, tally, document and witness was found as it must be.
struct LedgerVerdict {
  LedgerReading reading;
  std::vector<PublishedRelease> published;
  std::int64_t documents = 0;  // that are as they were stored
};

// An error, which says what does not hold; also where one of the releases does not belong to the ledger.
Result<LedgerVerdict> verify_ledger(const Text& catalog, std::vector<PublishedRelease> published,
                                    const Progress& progress);

}  // namespace vernier::study
