#pragma once

#include <duckdb.h>

#include "vernier/core/result.hpp"
#include "vernier/plan/bound_study.hpp"

namespace vernier::engine {

// Whether no two rows of the public table have the key of the join. The table is public, so that the sentence of an
// error names a key that is there twice.
Result<void> check_unique_keys(duckdb_connection connection, const plan::BoundJoin& join);

}  // namespace vernier::engine
