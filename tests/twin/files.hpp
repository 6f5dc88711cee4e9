#pragma once

#include <filesystem>

#include "support/duckdb_session.hpp"
#include "twin/random_table.hpp"

namespace vernier::twin {

// Writes the rows as the table's source, which lies in the folder. Parquet files hold what the cells are when cast to
// the declared types, NaN and infinities among them.
void write_source(const std::filesystem::path& folder, const query::Table& table, const std::vector<Row>& rows,
                  testing::DuckDbSession& writer);

}  // namespace vernier::twin
