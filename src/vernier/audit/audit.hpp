#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "vernier/audit/finding.hpp"
#include "vernier/core/progress.hpp"
#include "vernier/core/result.hpp"

// An installation tries to refute itself. audit.md says what each trial can and cannot show.
namespace vernier::audit {

inline constexpr double least_minutes = 0.1, greatest_minutes = 10'000;

struct Settings {
  std::vector<std::string> program;  // that is audited: its file, and the words that come before any others
  double minutes = 10;
  std::optional<std::filesystem::path> mutants = {};  // the folder of test programs
  // Makes a Parquet file of a CSV file whose columns are whole numbers.
  std::function<Result<void>(const std::filesystem::path& csv, const std::filesystem::path& parquet)> to_parquet;
};

// An error where something cannot be tried, or the progress says no; what is refuted is in the report.
Result<Report> audited(const Settings& settings, const Progress& progress);

// A Parquet file with the rows of a CSV file that the audit wrote, whose columns are all whole numbers.
Result<void> copy_to_parquet(const std::filesystem::path& csv, const std::filesystem::path& parquet);

}  // namespace vernier::audit
