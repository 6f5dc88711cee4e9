#pragma once

#include <filesystem>

#include "vernier/core/result.hpp"

namespace vernier::audit {

// A Parquet file with the rows of a CSV file that the audit wrote, whose columns are all whole numbers.
Result<void> copy_to_parquet(const std::filesystem::path& csv, const std::filesystem::path& parquet);

}  // namespace vernier::audit
