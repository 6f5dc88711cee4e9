#pragma once

#include <duckdb.h>

#include "vernier/plan/engine_functions.hpp"

namespace vernier::engine {

// Makes the aggregate known to the database under its name, as register_bottom_m() does.
bool register_value_counts(duckdb_connection connection, const plan::ValueCounts& aggregate);

}  // namespace vernier::engine
