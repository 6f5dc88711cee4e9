#pragma once

#include <filesystem>

#include "twin/random_table.hpp"
#include "vernier/engine/arrow/table.hpp"

namespace vernier::twin {

// Writes the rows as the table's source: a file in the folder, or rows in memory. CSV has the cells as they are, but
// for line feeds, which would end a record and become CR. Parquet has what they are in the declared types, with NaN,
// infinities and days that are none, and of texts any bytes. In memory all columns are texts.
void write_source(const std::filesystem::path& folder, const query::Table& table, const std::vector<Row>& rows,
                  engine::MemoryTables& memory);

}  // namespace vernier::twin
