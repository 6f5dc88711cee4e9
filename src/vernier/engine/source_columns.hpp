#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "vernier/core/result.hpp"
#include "vernier/query/catalog.hpp"

namespace vernier::engine {

// The file of a table, and where the declared columns stand in it.
struct SourceColumns {
  std::filesystem::path path;
  std::vector<std::string> names;   // of all columns, as the file writes them
  std::vector<std::size_t> places;  // of each declared column, in `names`
};

// From the header or schema alone. Refused: a file that is not there, no file or unreadable; a declared column that it
// does not have, or twice; of Parquet a column stored with another type than was declared. Columns that were not
// declared are ignored.
Result<SourceColumns> source_columns(const query::Catalog& catalog, const query::Table& table);

}  // namespace vernier::engine
