#pragma once

#include <duckdb.h>

#include "vernier/plan/sql.hpp"

namespace vernier::engine {

// Makes the function known to the database under its name, as register_bottom_m() does.
bool register_steps(duckdb_connection connection, const plan::StepsFunction& function);

}  // namespace vernier::engine
