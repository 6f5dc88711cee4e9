#pragma once

#include <duckdb.h>

#include "vernier/plan/engine_functions.hpp"

namespace vernier::engine {

// Makes the aggregate known to the database under its name, as register_bottom_m() does.
bool register_bottom_values(duckdb_connection connection, const plan::BottomValues& aggregate);

}  // namespace vernier::engine
