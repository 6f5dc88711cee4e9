#pragma once

#include <duckdb.h>

#include "vernier/plan/sql.hpp"

namespace vernier::engine {

// Makes the aggregate known to the database under its name. It can be done on a locked one, and needs to be done once.
bool register_bottom_m(duckdb_connection connection, const plan::BottomM& aggregate);

}  // namespace vernier::engine
