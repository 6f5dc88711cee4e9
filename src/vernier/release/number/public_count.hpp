#pragma once

#include <optional>

#include "vernier/release/release.hpp"

// Means that rest on the public number of rows: plan/statistic/public_count.md.
namespace vernier::release {

// The sentence may say so, since it is about a number that is public.
Failure more_rows_than_may_be(const query::Table& table);

// The public number of rows that a released table rests on; none where it rests on none.
std::optional<std::int64_t> public_rows(const plan::BoundStatistic& statistic, const Table& table);

}  // namespace vernier::release
