#pragma once

#include <string>

#include "vernier/engine/source_columns.hpp"

namespace vernier::engine {

// The statement that makes the view of a table: its declared columns in their declared types, from its one file.
// Nothing is sniffed. Of CSV the function of the table is known (duckdb_csv.hpp); of Parquet the functions of
// duckdb_stored.hpp are, and overlays lie over the files.
std::string create_view(const query::Table& table, const SourceColumns& columns);

// The same as a table that holds the rows, under the name of the view.
std::string create_copy(const query::Table& table, const SourceColumns& columns);

// The statement that reads every cell of the declared columns of a Parquet file, as it is stored, and keeps nothing.
std::string read_all_cells(const query::Table& table, const SourceColumns& columns);

}  // namespace vernier::engine
