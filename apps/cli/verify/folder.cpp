#include <algorithm>
#include <map>
#include <system_error>

#include <fmt/format.h>

#include "cli/file.hpp"
#include "cli/verify/verify.hpp"
#include "vernier/core/hash.hpp"

namespace vernier::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_document_bytes = std::size_t{1} << 30;

Failure cannot_look(const fs::path& folder, const std::error_code& error) {
  return fail(ErrorKind::system, fmt::format("the folder '{}' cannot be read ({}); look whether you may",
                                             folder.string(), error.message()));
}

// By name: whether it is a file, and not a link or a folder.
Result<std::map<std::string, bool>> entries_of(const fs::path& folder) {
  std::map<std::string, bool> entries;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    std::error_code unknown;
    entries[entry->path().filename().string()] = fs::is_regular_file(entry->symlink_status(unknown));
  }
  if (error) return cannot_look(folder, error);
  return entries;
}

Result<bool> is_unchanged(const fs::path& file, const std::string& hash) {
  return read_file(file.string(), most_document_bytes)
      .and_then([](const std::string& content) { return sha256(content); })
      .map([&](const std::string& found) { return found == hash; });
}

void add(std::string& sentence, const std::vector<std::string>& names, const char* what) {
  for (const std::string& name : names) sentence += fmt::format("{}'{}' {}", sentence.empty() ? "" : "; ", name, what);
}

}  // namespace

std::string FolderFaults::sentence() const {
  std::string all;
  add(all, missing, "is missing");
  add(all, changed, "is not as it was published");
  add(all, foreign, "is not of this release");
  return all;
}

Result<FolderFaults> faults_of(const fs::path& folder, const std::vector<release::DocumentHash>& documents) {
  VERNIER_TRY(auto entries, entries_of(folder));
  FolderFaults faults;
  entries.erase(std::string(release::record_name));
  for (const release::DocumentHash& document : documents) {
    const auto entry = entries.find(document.name);
    if (entry == entries.end()) {
      faults.missing.push_back(document.name);
      continue;
    }
    VERNIER_TRY(const bool same, entry->second ? is_unchanged(folder / document.name, document.sha256) : false);
    if (!same) faults.changed.push_back(document.name);
    entries.erase(entry);
  }
  for (const auto& [name, is_file] : entries) faults.foreign.push_back(name);
  return faults;
}

Result<release::Verdict> verify_folder(const fs::path& folder, const std::optional<release::PublicKey>& expected) {
  VERNIER_TRY(const std::string text, read_file((folder / release::record_name).string(), most_record_bytes));
  release::Verdict verdict = release::verify(text, expected);
  if (!verdict.holds()) return verdict;
  VERNIER_TRY(const FolderFaults faults, faults_of(folder, verdict.record->documents));
  if (faults.none()) {
    const auto count = static_cast<std::int64_t>(verdict.record->documents.size());
    verdict.checks.push_back({"documents", "files beside the record are as they were published, and no others", count});
  } else {
    verdict.first_problem = "documents: " + faults.sentence();
  }
  return verdict;
}

}  // namespace vernier::cli
