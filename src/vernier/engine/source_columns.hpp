#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "vernier/core/result.hpp"
#include "vernier/engine/arrow/table.hpp"
#include "vernier/engine/csv/file.hpp"
#include "vernier/engine/file_state.hpp"
#include "vernier/engine/parquet/schema.hpp"
#include "vernier/query/catalog.hpp"

namespace vernier::engine {

// The names of the columns of a data file, checked to be names that a catalog can have. Sentences about them tell the
// number of the column and not what stands there, which may be data.
Result<std::vector<std::string>> column_names(const std::string& path, query::SourceKind kind, char delimiter);

// The file of a table or its rows in memory, and where the declared columns stand in it.
struct SourceColumns {
  std::filesystem::path path;       // empty where the rows are in memory
  std::vector<std::string> names;   // of all columns, as the source writes them
  std::vector<std::size_t> places;  // of each declared column, in `names`
  std::shared_ptr<const ArrowTable> rows = {};
  std::shared_ptr<const CsvFile> csv = {};    // where the source is CSV
  std::optional<FileIdentity> identity = {};  // none where the rows are in memory
  std::vector<ParquetColumn> stored = {};     // of Parquet: all columns, as `names`
};

// From the header or schema alone. Refused: a file that is not there, no file or unreadable; rows that are not given; a
// declared column that it does not have, or twice; of Parquet and Arrow a column stored with another type than was
// declared. Columns that were not declared are ignored, and nothing that a source says of itself is told but whether
// what was declared is there: a first line may be data.
Result<SourceColumns> source_columns(const query::Catalog& catalog, const query::Table& table,
                                     const MemoryTables& memory = {});

}  // namespace vernier::engine
