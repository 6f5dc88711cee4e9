#pragma once

#include <filesystem>
#include <map>
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
// number of the column and not what stands there, which may be data. Of JSON lines those of the first line, for whoever
// writes a catalog: no run looks at it.
Result<std::vector<std::string>> column_names(const std::string& path, query::SourceKind kind, char delimiter);

// The types, as a catalog names them, of those columns of a Parquet file that a catalog can declare.
Result<std::map<std::string, std::string>> stored_types(const std::string& path);

// One file of a table, and where the declared columns stand in it.
struct SourceFile {
  std::filesystem::path path;
  std::vector<std::string> names;           // of all columns, as the file writes them; of JSON lines the declared ones
  std::vector<std::size_t> places;          // of each declared column, in `names`
  std::shared_ptr<const CsvFile> csv = {};  // where the source is CSV or JSON lines
  std::optional<FileIdentity> identity = {};  // none where it is no longer there
  std::vector<ParquetColumn> stored = {};     // of Parquet: all columns, as `names`
};

// The files of a table, or its rows in memory.
struct SourceColumns {
  std::vector<SourceFile> files;
  std::shared_ptr<const ArrowTable> rows = {};
  std::vector<std::size_t> places = {};  // of each declared column, in the rows in memory

  bool has_lines() const { return !files.empty() && files.front().csv != nullptr; }
};

// The SHA-256 of the bytes of all files of a table; of a single one that of its own.
Result<std::string> sha256_of_files(const SourceColumns& source);

// From the header or schema alone. Refused: a file that is not there, no file or unreadable; rows that are not given; a
// declared column that a file does not have, or twice; a file that is there twice; of Parquet and Arrow a column stored
// with another type than was declared. Columns that were not declared are ignored, and nothing that a source says of
// itself is told but whether what was declared is there: a first line may be data.
Result<SourceColumns> source_columns(const query::Catalog& catalog, const query::Table& table,
                                     const MemoryTables& memory = {});

}  // namespace vernier::engine
