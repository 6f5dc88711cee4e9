#pragma once

#include <duckdb.h>

#include "vernier/plan/sql.hpp"

namespace vernier::engine {

// Makes the function known to the engine; false where that fails. A join with the declared keys does the same and takes
// 0.5 s longer for ten million rows with fifty texts.
bool register_cell_of(duckdb_connection connection, const plan::CellOf& made);

}  // namespace vernier::engine
