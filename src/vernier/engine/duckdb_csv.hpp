#pragma once

#include <atomic>
#include <memory>
#include <string>

#include <duckdb.h>

#include "vernier/engine/source_columns.hpp"

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

}  // namespace vernier::engine
