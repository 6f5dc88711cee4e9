#include <algorithm>
#include <system_error>

#include "vernier/study/files.hpp"
#include "vernier/study/series.hpp"
#include "vernier/study/verify.hpp"

namespace vernier::study {
namespace {

namespace fs = std::filesystem;

bool is_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

// A folder that a run which was cut off has left half written is none.
bool has_record(const fs::path& folder) {
  std::error_code ignored;
  return folder.extension() != ".tmp" && fs::exists(folder / release::record_name, ignored);
}

// The records that a place stands for: a file, that of a folder, or those of the folders in it.
std::vector<fs::path> records_at(const fs::path& place) {
  if (!is_folder(place)) return {place};
  if (has_record(place)) return {place / release::record_name};
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator entry(place, error), end; !error && entry != end; entry.increment(error)) {
    if (is_folder(entry->path()) && has_record(entry->path())) found.push_back(entry->path() / release::record_name);
  }
  std::ranges::sort(found);
  return found;
}

// Of a folder that was named: every file as it was published.
Result<std::int64_t> check_files(const std::vector<fs::path>& records, const release::SeriesVerdict& verdict) {
  std::int64_t count = 0;
  for (const fs::path& path : records) {
    VERNIER_TRY(const std::string text, read_file(path.string(), most_record_bytes));
    VERNIER_TRY(const release::StepRecord record, release::read_step_record(text));
    VERNIER_TRY(const FolderFaults faults, faults_of(path.parent_path(), record.documents));
    if (!faults.none()) return invalid(faults.sentence());
    count += static_cast<std::int64_t>(record.documents.size());
  }
  return verdict.records.empty() ? 0 : count;
}

}  // namespace

Result<std::optional<release::SeriesVerdict>> verify_series(const std::vector<fs::path>& places,
                                                            const std::optional<release::PublicKey>& expected) {
  std::vector<fs::path> records, in_folders;
  for (const fs::path& place : places) {
    const std::vector<fs::path> found = records_at(place);
    records.insert(records.end(), found.begin(), found.end());
    if (is_folder(place)) in_folders.insert(in_folders.end(), found.begin(), found.end());
  }
  std::vector<std::string> texts;
  for (const fs::path& path : records) {
    VERNIER_TRY(std::string text, read_file(path.string(), most_record_bytes));
    texts.push_back(std::move(text));
  }
  if (texts.empty() || !std::ranges::all_of(texts, release::is_step_record)) return std::nullopt;
  release::SeriesVerdict verdict = release::verify_steps(texts, expected);
  if (!verdict.holds() || in_folders.empty()) return verdict;
  const Result<std::int64_t> files = check_files(in_folders, verdict);
  if (!files) {
    verdict.first_problem = "documents: " + files.error().sentence();
  } else {
    verdict.checks.push_back(
        {"documents", "files beside the records are as they were published, and no others", *files});
  }
  return verdict;
}

}  // namespace vernier::study
