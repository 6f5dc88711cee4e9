#pragma once

#include <string>

#include <duckdb.h>

#include "vernier/engine/parquet_schema.hpp"
#include "vernier/query/value.hpp"

namespace vernier::engine {

// Makes the functions known by which the cells of Parquet files are read (stored_cells.hpp).
bool register_stored(duckdb_connection connection);

// The value of a cell as SQL: of a column that the engine has as its physical type, read as the declared type. No cell
// makes it fail; what the declared type, or the stored one, cannot hold is NULL. The declared and the stored type
// agree.
std::string stored_value(query::Type declared, const ParquetColumn& column);

}  // namespace vernier::engine
