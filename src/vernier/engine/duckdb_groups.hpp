#pragma once

#include <optional>
#include <vector>

#include <duckdb.h>

#include "vernier/engine/raw_aggregates.hpp"
#include "vernier/plan/sql.hpp"

namespace vernier::engine {

// The rows of a finished statement; none where they have another form than `sql` says.
std::optional<std::vector<RawGroup>> read_groups(duckdb_result& result, const plan::Sql& sql);

}  // namespace vernier::engine
