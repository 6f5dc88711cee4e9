#pragma once

#include <optional>
#include <vector>

#include "vernier/query/catalog.hpp"

namespace vernier::plan {

// The first days of the buckets of a date column, rising, and behind them one more: the day after the last bucket, or,
// without bounds, its last day.
std::vector<query::Day> bucket_days(const std::optional<query::Range>& range);

}  // namespace vernier::plan
