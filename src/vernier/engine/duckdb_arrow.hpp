#pragma once

#include <string>

#include <duckdb.h>

#include "vernier/engine/source_columns.hpp"

namespace vernier::engine {

// Makes the view of a table whose rows are in memory: its declared columns in their declared types. The engine reads
// them where they are, whenever a statement asks, with all threads and no columns but those that are asked for; it
// holds them until it is closed. `name` is of a function that nothing else has.
bool create_memory_view(duckdb_connection connection, const std::string& name, const query::Table& table,
                        const SourceColumns& source);

}  // namespace vernier::engine
