#pragma once

#include <atomic>
#include <memory>
#include <string>

#include <duckdb.h>

#include "vernier/engine/parquet/schema.hpp"
#include "vernier/engine/source_columns.hpp"
#include "vernier/query/value.hpp"

namespace vernier::engine {

// How many bytes of CSV files statements have begun to read, which the engine does not know of a function.
using BytesRead = std::atomic<std::int64_t>;

// Makes the function of a table known that gives the rows of its CSV file: the declared columns in their declared
// types, read whenever a statement asks, with all threads and no columns but those that are asked for. No row makes it
// fail; it fails where the file can no longer be read.
bool register_csv(duckdb_connection connection, const query::Table& table, const SourceColumns& source,
                  std::shared_ptr<BytesRead> progress);

// Its name, as SQL.
std::string csv_function(const query::Table& table);

// Makes the view of a table whose rows are in memory: its declared columns in their declared types. The engine reads
// them where they are, whenever a statement asks, with all threads and no columns but those that are asked for; it
// holds them until it is closed. `name` is of a function that nothing else has.
bool create_memory_view(duckdb_connection connection, const std::string& name, const query::Table& table,
                        const SourceColumns& source);

// Makes the functions known by which the cells of Parquet files are read (stored_cells.hpp).
bool register_stored(duckdb_connection connection);

// The value of a cell as SQL: of a column that the engine has as its physical type, read as the declared type. No cell
// makes it fail; what the declared type, or the stored one, cannot hold is NULL. The declared and the stored type
// agree.
std::string stored_value(query::Type declared, const ParquetColumn& column);

}  // namespace vernier::engine
