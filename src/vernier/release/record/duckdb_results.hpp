#pragma once

#include <string>

#include "vernier/release/record/release_json.hpp"

namespace vernier::release {

// Every number of a release as one long table, in the format Parquet: a row for each number, with the columns release,
// study, statistic, row (from 1 on), keys (a map from their names to their values as text), column, value, low, high,
// accuracy, confidence, covers, coverage, informative, may_be_empty. The same release gives the same bytes.
Result<std::string> results_parquet(const Release& release, const Asked& asked);

}  // namespace vernier::release
