#pragma once

#include <string>

#include <duckdb.h>

#include "vernier/core/result.hpp"
#include "vernier/engine/source_columns.hpp"
#include "vernier/plan/bound_study.hpp"

namespace vernier::engine {

// Whether no two rows of the public table have the key of the join. The table is public, so that the sentence of an
// error names a key that is there twice.
Result<void> check_unique_keys(duckdb_connection connection, const plan::BoundJoin& join);

// The statement that makes the view of a table: its declared columns in their declared types, from its one file.
// Nothing is sniffed. Of CSV the function of the table is known (duckdb_csv.hpp); of Parquet the functions of
// duckdb_stored.hpp are, and overlays lie over the files.
std::string create_view(const query::Table& table, const SourceColumns& columns);

// SELECT of the declared columns from rows that have them in their declared types, without the values that the catalog
// declares to be missing ones.
std::string known_rows(const query::Table& table, const std::string& rows);

// The same as a table that holds the rows, under the name of the view.
std::string create_copy(const query::Table& table, const SourceColumns& columns);

// The statement that reads every cell of the declared columns of a Parquet file, as it is stored, and keeps nothing.
std::string read_all_cells(const query::Table& table, const SourceColumns& columns);

}  // namespace vernier::engine
