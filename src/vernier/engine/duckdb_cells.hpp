#pragma once

#include <string>

#include <duckdb.h>

#include "vernier/query/value.hpp"

namespace vernier::engine {

// Makes the functions known by which the cells of CSV files are read (cells.hpp).
bool register_cells(duckdb_connection connection);

// The value of a cell: a column of text, as SQL, read as the declared type.
std::string read_cell(query::Type type, const std::string& text);

}  // namespace vernier::engine
